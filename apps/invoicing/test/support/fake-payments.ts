import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IntentState, RecordPaymentRequest } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { eventually, type TestService } from '@kontor/testing';
import { FollowIntents } from '../../src/payments/follow-intents.js';

export type Mode = 'answers' | 'refuses' | 'records-without-answering' | 'breaks';

interface Known {
  tenantId: string;
  version: number;
  state: IntentState;
}

/** Stands in for payments: opens intents for what is finalized, and records payments over HTTP. */
export class FakePayments {
  mode: Mode = 'answers';
  /** Whether finalized documents get their intent by themselves. */
  opensIntents = true;
  readonly intents = new Map<string, Known>();
  readonly recorded = new Map<string, RecordPaymentRequest>();
  private service: TestService | undefined;
  private last = 0n;
  private stopped = false;
  private loop: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<FakePayments> {
    const holder: { self?: FakePayments } = {};
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        // As owner of whatever is asked for: there is no such object.
        if (request.method === 'GET')
          return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[],"tenants":[]}');
        const answer = holder.self?.answer(JSON.parse(Buffer.concat(chunks).toString()) as RecordPaymentRequest);
        if (!answer) return;
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    holder.self = new FakePayments(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return holder.self;
  }

  follow(service: TestService): void {
    this.service = service;
    this.loop = this.poll();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** As an event of payments would report it; of a document that was finalized a moment ago, once its intent is open. */
  async report(invoiceId: string, change: Partial<IntentState> = {}, version?: number, now?: Date): Promise<void> {
    const known = await eventually(() => this.intents.get(invoiceId), `an intent of ${invoiceId}`);
    known.version = version ?? known.version + 1;
    known.state = { ...known.state, ...change };
    await this.apply(known, now);
  }

  private async apply(known: Known, now?: Date): Promise<void> {
    const follow = this.service?.service.get(FollowIntents) as FollowIntents;
    await this.service?.service.kit.database.tenant(
      known.tenantId,
      (tx) => follow.execute(tx, [{ version: known.version, state: { ...known.state } }]),
      { now },
    );
  }

  private async poll(): Promise<void> {
    while (!this.stopped) {
      const rows = await (this.service as TestService).peek<{ id: bigint; tenant_id: string; payload: string }>(
        `SELECT id, tenant_id, payload FROM outbox WHERE type = 'invoicing.invoice.finalizing.v1' AND id > $1 ORDER BY id`,
        [this.last],
      );
      for (const row of rows) {
        if (!this.opensIntents) break;
        this.last = BigInt(row.id);
        await this.open(
          row.tenant_id,
          JSON.parse(row.payload) as { invoiceId: string; customerId: string; grossAmount: IntentState['amount'] },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }

  private async open(
    tenantId: string,
    document: { invoiceId: string; customerId: string; grossAmount: IntentState['amount'] },
  ): Promise<void> {
    const { invoiceId, customerId, grossAmount } = document;
    const state: IntentState = {
      id: newUuid(),
      invoiceId,
      topUpId: null,
      customerId,
      amount: grossAmount,
      openAmount: grossAmount,
      creditAppliedAmount: { ...grossAmount, amount: 0 },
      status: 'open',
      paymentMethodId: null,
      paidAt: null,
      failReason: null,
    };
    const known = { tenantId, version: 1, state };
    this.intents.set(invoiceId, known);
    await this.apply(known);
  }

  private answer(request: RecordPaymentRequest): { status: number; body: unknown } | undefined {
    if (this.mode === 'breaks') return { status: 500, body: {} };
    if (this.mode === 'refuses') {
      return {
        status: 422,
        body: {
          reason: 'unknown_reference',
          detail: 'The payment method does not exist.',
          violations: [{ propertyPath: 'paymentMethod', message: 'unknown', code: 'unknown_reference' }],
        },
      };
    }
    const known = this.intents.get(request.invoiceId);
    if (!known) return { status: 422, body: { reason: 'unknown_reference', detail: 'no intent' } };
    if (!this.recorded.has(request.operationId)) {
      this.recorded.set(request.operationId, request);
      const paid = request.amount?.amount ?? known.state.openAmount.amount;
      const openAmount = { ...known.state.openAmount, amount: known.state.openAmount.amount - paid };
      known.version += 1;
      known.state = {
        ...known.state,
        openAmount,
        status: openAmount.amount <= 0 ? 'succeeded' : 'open',
        paidAt: openAmount.amount <= 0 ? new Date().toISOString() : null,
      };
    }
    if (this.mode === 'records-without-answering') return undefined;
    return { status: 200, body: { intent: known.state, version: known.version, transactionId: newUuid() } };
  }
}
