import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { dayOf, notFound, startOfDay } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { type DueStep, dueSteps } from '../domain/dunning/dunning-rule.js';
import { dunningRuleTable } from './dunning-rule.row.js';
import { IssueDunning } from './issue-dunning.js';

/** So many invoices share a transaction. */
const PAGE = 250;

/** Where a run stands among open invoices, in the order of the instants from which their next level counts. */
interface Place {
  /** As PostgreSQL writes it: an instant in JavaScript has no microseconds. */
  readonly since: string;
  readonly id: string;
}

interface RunOptions {
  readonly now?: Date;
  readonly signal?: AbortSignal;
}

interface Plan {
  readonly steps: readonly DueStep[];
  readonly startOfToday: Date;
}

const COUNTS_FROM = 'coalesce(i.last_reminder_at, i.due_at)';

/** What is looked for: `$2` to `$4` are the steps, `$5` is the start of today: at most one document a day and invoice. */
const IS_DUE = `i.status = 'STATUS_UNPAID' AND i.type = 'TYPE_INVOICE' AND NOT i.dunning_disabled
  AND i.unpaid_minor > 0 AND (i.intent_status IS DISTINCT FROM 'processing' OR i.waits_for_payer) AND NOT i.joinable
  AND (i.last_reminder_at IS NULL OR i.last_reminder_at < $5)
  AND EXISTS (SELECT FROM unnest($2::int[], $3::int[], $4::timestamptz[]) AS s (from_level, below, before)
    WHERE i.dunning_level >= s.from_level AND i.dunning_level < s.below AND ${COUNTS_FROM} < s.before)`;

/**
 * Reminds of everything that is due, page by page, each in a transaction of its own: what a run that was killed has done
 * stays done, the next one goes on. Of two runs at once, the second finds the invoices of the first with their new level.
 */
@Injectable()
export class RunDunning {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly issueDunning: IssueDunning,
  ) {}

  /** Returns how many documents it has issued. */
  async execute(tenantId: string, { now, signal }: RunOptions = {}): Promise<number> {
    const pages = this.duePages(tenantId, { now, signal });
    let issued = 0;
    const issue = async (ids: readonly string[]): Promise<void> => {
      const count = await this.database.tenant(tenantId, (tx) => this.runPage(tx, ids), { now });
      issued += count;
    };
    const issueRest = async (): Promise<void> => {
      for await (const ids of pages) await issue(ids);
    };
    // Alone: where a request asks for the run, its first transaction takes the request's key.
    const first = await pages.next();
    if (!first.done) await issue(first.value);
    // A page is made ready while the one before is written: who has numbers holds the series until the commit.
    await Promise.all([issueRest(), issueRest()]);
    return issued;
  }

  /** The ids of what seems to be due, each page found when it is asked for. */
  private async *duePages(tenantId: string, { now, signal }: RunOptions): AsyncGenerator<string[]> {
    for (let after: Place | undefined, found: Place[]; !signal?.aborted; after = found.at(-1)) {
      found = await this.database.tenant(tenantId, async (tx) => findDue(tx, await this.plan(tx), after), {
        now,
        readOnly: true,
      });
      if (found.length > 0) yield found.map(({ id }) => id);
      if (found.length < PAGE) return;
    }
  }

  private async runPage(tx: TenantTx, ids: readonly string[]): Promise<number> {
    const plan = await this.plan(tx);
    return this.issueDunning.execute(tx, await lockDue(tx, plan, ids), plan.steps);
  }

  private async plan(tx: TenantTx): Promise<Plan> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    if (!tenant) throw notFound('The tenant');
    const today = dayOf(tx.now, tenant.timeZone);
    const rules = await dunningRuleTable.find(tx, { isEnabled: true });
    return { steps: dueSteps(rules, today, tenant.timeZone), startOfToday: startOfDay(today, tenant.timeZone) };
  }
}

const paramsOf = ({ steps, startOfToday }: Plan): unknown[] => [
  steps.map((step) => step.from),
  steps.map((step) => step.below),
  steps.map((step) => step.before),
  startOfToday,
];

/** In the order of an index, which ends where nothing can be due. */
const findDue = (tx: TenantTx, plan: Plan, after: Place | undefined): Promise<Place[]> =>
  tx.query<Place>(
    `SELECT i.id, (${COUNTS_FROM})::text AS since FROM invoice i
     WHERE i.tenant_id = $1 AND ${IS_DUE}
       AND ${COUNTS_FROM} < $6
       AND ($7::timestamptz IS NULL OR (${COUNTS_FROM}, i.id) > ($7, $8::uuid))
     ORDER BY ${COUNTS_FROM}, i.id LIMIT ${PAGE}`,
    [
      tx.tenantId,
      ...paramsOf(plan),
      plan.steps.reduce((latest, { before }) => (before > latest ? before : latest), new Date(0)),
      after?.since ?? null,
      after?.id ?? null,
    ],
  );

/** Those that are still due when they are locked, in the order of their ids. */
const lockDue = (tx: TenantTx, plan: Plan, ids: readonly string[]): Promise<InvoiceRow[]> =>
  tx.query<InvoiceRow>(
    `SELECT ${invoiceTable.selectOf('i')} FROM invoice i
     WHERE i.tenant_id = $1 AND i.id = ANY($6::uuid[]) AND ${IS_DUE}
     ORDER BY i.id FOR UPDATE`,
    [tx.tenantId, ...paramsOf(plan), ids],
  );
