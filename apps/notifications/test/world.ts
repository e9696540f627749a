import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CustomerState,
  customerChangedV1,
  eventOfType,
  type InvoiceState,
  invoiceChangedV1,
  invoiceSendRequestedV1,
  mediaReadyV1,
  autoTopUpDisabledV1,
  offerLinkSentV1,
  payerActionRequiredV1,
  paymentMethodLinkCreatedV1,
  subscriptionChangedV1,
} from '@kontor/contracts';
import { newUlid, newUuid } from '@kontor/kernel';
import type { LogPage, OutboxRecord } from '@kontor/messaging';
import { packFiles, ServiceDirectory } from '@kontor/service-kit';
import { eventually, testService, type TestService } from '@kontor/testing';
import { notificationsService } from '../src/index.js';

const PRODUCERS = ['billing', 'identity', 'invoicing', 'payments', 'offers'] as const;

/** Notifications on its own database, with invoicing played by a small server (files) and a log in memory (events). */
export class World {
  private readonly records: OutboxRecord[] = [];
  /** What the file server answers with; 503 for a service that is away. */
  fileStatus = 200;
  /** What it was asked for. */
  readonly fileRequests: string[] = [];

  private constructor(
    readonly test: TestService,
    private readonly files: Server,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<World> {
    const running: { world?: World } = {};
    const files = createServer((request, response) => {
      running.world?.fileRequests.push(request.url!);
      response.writeHead(running.world?.fileStatus ?? 200, { 'content-type': 'application/pdf' });
      const { pathname, searchParams } = new URL(request.url!, 'http://files');
      const ids = searchParams.get('ids')?.split(',');
      const contentOf = (path: string): Buffer => Buffer.from(`%PDF-1.7 ${path}`);
      response.end(
        ids ? packFiles(new Map(ids.map((id) => [id, contentOf(`${pathname}/${id}`)]))) : contentOf(pathname),
      );
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    const directory = new ServiceDirectory();
    directory.set('invoicing', `http://127.0.0.1:${(files.address() as AddressInfo).port}`);
    const test = await testService(notificationsService, { directory, env: { LOG_LEVEL: 'silent', ...env } });
    test.service.kit.replicas.readThrough(null);
    const world = new World(test, files);
    running.world = world;
    const { records } = world;
    for (const producer of PRODUCERS) {
      const isOfProducer = (record: OutboxRecord): boolean => record.topic.startsWith(`${producer}.`);
      test.bus.attachLog(
        {
          producer,
          read: async (topic, after, upTo, limit) =>
            records
              .filter(
                (record) => isOfProducer(record) && record.topic === topic && record.id > after && record.id <= upTo,
              )
              .slice(0, limit),
        },
        0n,
      );
    }
    return world;
  }

  async stop(): Promise<void> {
    await this.test.stop();
    await new Promise((resolve) => this.files.close(resolve));
  }

  async tenant(customer: Partial<CustomerState> = {}): Promise<{ id: string; customerId: string }> {
    const id = newUuid();
    const customerId = newUuid();
    await this.test.giveCopy('customer', id, customerId, {
      ...(customerChangedV1.example.state as CustomerState),
      id: customerId,
      email: 'kunde@example.com',
      ...customer,
    });
    await this.test.giveCopy('settings', id, id, {
      seller: { company: 'Nordlicht GmbH', contact: { name: null, email: 'rechnung@nordlicht.example', phone: null } },
    });
    return { id, customerId };
  }

  async invoiceChanged(
    tenantId: string,
    customerId: string,
    invoiceId: string,
    changes: Partial<InvoiceState> = {},
    version = 3,
  ): Promise<void> {
    const state = { ...(invoiceChangedV1.example.state as InvoiceState), id: invoiceId, customerId, ...changes };
    await this.publish(tenantId, invoiceChangedV1.type, invoiceId, version, {
      id: invoiceId,
      version,
      deleted: false,
      state,
      notices: [],
    });
  }

  async mediaReady(tenantId: string, customerId: string, invoiceId: string): Promise<void> {
    const mediaId = newUlid();
    await this.publish(tenantId, mediaReadyV1.type, mediaId, 1, {
      mediaId,
      invoiceId,
      customerId,
      fileName: 'RE-2026-00001.pdf',
      mimeType: 'application/pdf',
    });
  }

  async sendRequested(tenantId: string, customerId: string, invoiceId: string, version: number): Promise<void> {
    const payload = {
      ...invoiceSendRequestedV1.example,
      invoiceId,
      customerId,
      version,
      recipient: 'chef@example.com',
    };
    const state = { ...payload.state, id: invoiceId, customerId };
    await this.publish(tenantId, invoiceSendRequestedV1.type, invoiceId, version, { ...payload, state });
  }

  async methodLinkCreated(tenantId: string, customerId: string, link: string): Promise<void> {
    const linkId = newUuid();
    const payload = { linkId, customerId, link, expiresAt: '2026-03-08T10:00:00.000Z' };
    await this.publish(tenantId, paymentMethodLinkCreatedV1.type, linkId, 1, payload);
  }

  /** Events that name a mail's recipient, as their examples are. */
  async mailEvent(
    tenantId: string,
    event: { readonly type: string; readonly example: object },
    changes: Record<string, unknown>,
  ): Promise<void> {
    await this.publish(tenantId, event.type, newUuid(), 1, { ...event.example, ...changes });
  }

  async payerActionRequired(tenantId: string, customerId: string, link: string): Promise<void> {
    const transactionId = newUuid();
    const payload = { ...payerActionRequiredV1.example, transactionId, customerId, link };
    await this.publish(tenantId, payerActionRequiredV1.type, transactionId, 1, payload);
  }

  async offerLinkSent(tenantId: string, customerId: string, language: string, link: string): Promise<void> {
    const recipientId = newUuid();
    const payload = {
      ...offerLinkSentV1.example,
      recipientId,
      customerId,
      language,
      link,
      email: 'einkauf@example.com',
    };
    await this.publish(tenantId, offerLinkSentV1.type, recipientId, 1, payload);
  }

  async autoTopUpDisabled(tenantId: string, customerId: string, failureReason: string): Promise<void> {
    const ruleId = newUuid();
    const payload = { ruleId, customerId, currencyCode: 'EUR', consecutiveFailures: 5, failureReason };
    await this.publish(tenantId, autoTopUpDisabledV1.type, ruleId, 1, payload);
  }

  async subscriptionCancelled(tenantId: string, customerId: string, confirmationEmail: boolean): Promise<void> {
    const { id } = subscriptionChangedV1.example;
    const dates = { cancelledAt: '2026-03-01T09:00:00.000Z', cancellationDate: '2026-03-30T22:00:00.000Z' };
    const notice = {
      type: 'subscription.cancelled',
      objectId: id,
      data: { subscription: { id, name: 'Team', number: 'S-10001', ...dates } },
      customerId,
      activity: { metadata: { confirmationEmail } },
    };
    const payload = { ...subscriptionChangedV1.example, notices: [notice] };
    await this.publish(tenantId, subscriptionChangedV1.type, id, 1, payload);
  }

  mails(
    tenantId: string,
  ): Promise<{ id: string; status: string; recipient: string; attempts: number; last_error: string | null }[]> {
    return this.test.peek(
      'SELECT id, status, recipient, attempts, last_error FROM mail WHERE tenant_id = $1 ORDER BY id',
      [tenantId],
    );
  }

  /** Every event of the tenant was applied, or has no effect. */
  async settled(tenantId: string): Promise<void> {
    const published = this.records.filter((record) => record.tenantId === tenantId).length;
    await eventually(async () => {
      const [row] = await this.test.peek<{ n: number }>(
        'SELECT coalesce(sum(n), 0)::int AS n FROM consumed_count WHERE tenant_id = $1',
        [tenantId],
      );
      return row?.n === published;
    }, 'the events applied');
  }

  private async publish(
    tenantId: string,
    type: string,
    aggregateId: string,
    aggregateSeq: number,
    payload: object,
  ): Promise<void> {
    const topic = eventOfType(type)?.topic ?? 'invoicing.invoice';
    const producer = PRODUCERS.find((service) => topic.startsWith(`${service}.`)) ?? 'invoicing';
    const last = BigInt(this.records.length);
    const record: OutboxRecord = {
      id: last + 1n,
      eventId: newUuid(),
      tenantId,
      aggregateId,
      aggregateSeq,
      topic,
      type,
      effectiveAt: this.test.clock.now(),
      payload: JSON.stringify(payload),
      headers: '{}',
    };
    this.records.push(record);
    await this.test.bus.publish({ producer, after: last, upTo: record.id, records: [record] } satisfies LogPage);
  }
}
