import { type Api, eventually, type Json } from './api.js';

/** An unpaid invoice over 119.00. */
export async function unpaidInvoice(api: Api, customer: string): Promise<Json> {
  const positions = [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];
  const draft = await api.ok('POST', '/invoices', { customer, positions });
  await api.ok('POST', `/invoices/${draft.id}/finalize`, {});
  return eventually('the invoice is unpaid', async () => {
    const shown = await api.ok('GET', `/invoices/${draft.id}`);
    return shown.status === 'STATUS_UNPAID' && shown;
  });
}
