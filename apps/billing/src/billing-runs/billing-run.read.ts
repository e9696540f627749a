import { notFound } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { type ListQuery, page, type Page } from '@kontor/service-kit';
import { BillingRunRow } from '../db/billing-run.row.js';
import { listRows } from '../db/list-rows.js';

export interface BillingRunJson {
  id: string;
  date: string;
  status: 'running' | 'completed';
  due: number;
  billed: number;
  failed: number;
  failures: { subscriptionId: string; reason: string }[];
  invoiceIds: string[];
  createdAt: string;
  completedAt: string | null;
}

/** @throws DomainError `not_found` */
export async function readRun(tx: TenantTx, id: string): Promise<BillingRunJson> {
  const row = await tx.manager.findOneBy(BillingRunRow, { tenantId: tx.tenantId, id });
  const [json] = row ? await representRuns(tx, [row]) : [];
  if (!json) throw notFound('Billing run');
  return json;
}

export async function listRuns(tx: TenantTx, list: ListQuery): Promise<Page<BillingRunJson>> {
  const columns = { status: 'status', date: 'date', createdAt: 'created_at' };
  const { rows, total } = await listRows(tx, list, { row: BillingRunRow, table: 'billing_run', columns });
  return page(await representRuns(tx, rows), total, list);
}

/** Runs with what failed and which documents they made, in a constant number of queries. */
async function representRuns(tx: TenantTx, rows: readonly BillingRunRow[]): Promise<BillingRunJson[]> {
  const ids = rows.map((row) => row.id);
  const failures = await tx.query<{ runId: string; subscriptionId: string; reason: string }>(
    `select run_id as "runId", subscription_id as "subscriptionId", reason from billing_run_failure where tenant_id = $1 and run_id = any($2::uuid[]) order by subscription_id`,
    [tx.tenantId, ids],
  );
  const invoices = await tx.query<{ runId: string; ids: string[] }>(
    `select run_id as "runId", array_agg(distinct invoice_id order by invoice_id) as ids from charge_batch
     where tenant_id = $1 and run_id = any($2::uuid[]) and invoice_id is not null group by run_id`,
    [tx.tenantId, ids],
  );
  const invoiceIds = new Map(invoices.map((one) => [one.runId, one.ids]));
  return rows.map((row) => {
    const mine = failures.filter((failure) => failure.runId === row.id).map(({ subscriptionId, reason }) => ({ subscriptionId, reason }));
    return {
      id: row.id,
      date: row.date,
      status: row.status,
      due: row.due,
      billed: row.due - mine.length,
      failed: mine.length,
      failures: mine,
      invoiceIds: invoiceIds.get(row.id) ?? [],
      createdAt: row.createdAt.toISOString(),
      completedAt: row.completedAt?.toISOString() ?? null,
    };
  });
}
