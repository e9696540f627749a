import type { Tx } from '@kontor/kernel';
import { money, toMoneyJson } from '@kontor/money';
import { invoiceTable } from '../db/invoice.row.js';
import type { CreditLimit } from '../domain/pricing/price-document.js';
import { lockInvoices } from '../invoices/invoice-rows.js';
import type { RecordChanges } from '../invoices/record-changes.js';

/**
 * Says in the timelines of invoices which automatic credits found less left of their lines than they were to credit,
 * and how much that was.
 */
export async function recordLimits(
  tx: Tx,
  recordChanges: RecordChanges,
  limits: readonly CreditLimit[],
): Promise<void> {
  if (limits.length === 0) return;
  const byInvoice = Map.groupBy(limits, ({ original }) => original.id);
  const invoices = [...(await lockInvoices(tx, [...byInvoice.keys()])).values()];
  for (const invoice of invoices) invoice.version += 1;
  await invoiceTable.update(tx, invoices, ['version']);
  await recordChanges.execute(
    tx,
    invoices.map((invoice) => ({
      invoice,
      notices: ['invoice.updated'] as const,
      details: { limitedCredits: (byInvoice.get(invoice.id) ?? []).map(shown) },
    })),
  );
}

const shown = ({ name, currencyCode, wantedMinor, creditedMinor }: CreditLimit): Record<string, unknown> => ({
  name,
  wantedAmount: toMoneyJson(money(wantedMinor, currencyCode)),
  creditedAmount: toMoneyJson(money(creditedMinor, currencyCode)),
});
