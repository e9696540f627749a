import { notFound } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import type { BillingRunRow } from '../db/billing-run.row.js';
import type { BillingRunJson } from './billing-run.schema.js';

/** @throws DomainError `not_found` */
export async function readRun(tx: TenantTx, id: string): Promise<BillingRunJson> {
  const row = await tables.billingRuns.get(tx, id);
  const [json] = row ? await representRuns(tx, [row]) : [];
  if (!json) throw notFound('Billing run');
  return json;
}

export async function listRuns(tx: TenantTx, list: ListQuery): Promise<Page<BillingRunJson>> {
  const columns = { status: 'status', date: 'date', createdAt: 'created_at' };
  const { rows, total } = await listRows(tx, list, { table: tables.billingRuns, columns });
  return page(await representRuns(tx, rows), total, list);
}

/** Runs with what failed and which documents they made, in a constant number of queries. */
async function representRuns(tx: TenantTx, rows: readonly BillingRunRow[]): Promise<BillingRunJson[]> {
  const ids = rows.map((row) => row.id);
  const failures = await tx.query<{ runId: string; subscriptionId: string; reason: string }>(
    `SELECT run_id AS "runId", subscription_id AS "subscriptionId", reason
     FROM billing_run_failure
     WHERE tenant_id = $1 AND run_id = ANY($2::uuid[])
     ORDER BY subscription_id`,
    [tx.tenantId, ids],
  );
  const invoices = await tx.query<{ runId: string; ids: string[] }>(
    `SELECT run_id AS "runId", array_agg(DISTINCT invoice_id ORDER BY invoice_id) AS ids
     FROM charge_batch
     WHERE tenant_id = $1 AND run_id = ANY($2::uuid[]) AND invoice_id IS NOT NULL
     GROUP BY run_id`,
    [tx.tenantId, ids],
  );
  const invoiceIds = new Map(invoices.map(({ runId, ids: documents }) => [runId, documents]));
  return rows.map((row) => {
    const failed = failures
      .filter((failure) => failure.runId === row.id)
      .map(({ subscriptionId, reason }) => ({ subscriptionId, reason }));
    return {
      id: row.id,
      date: row.date,
      status: row.status,
      due: row.due,
      billed: row.due - failed.length,
      failed: failed.length,
      failures: failed,
      invoiceIds: invoiceIds.get(row.id) ?? [],
      createdAt: row.createdAt.toISOString(),
      completedAt: row.completedAt?.toISOString() ?? null,
    };
  });
}
