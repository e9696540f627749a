import type { CustomerState, TenantState } from '@kontor/contracts';
import type { Replicas, TenantTx } from '@kontor/persistence';
import { type CreditRules, creditRules, NO_CREDIT } from '../domain/customer-books/credit-rules.js';

/**
 * What holds for the credit of each of these customers now, from the copies of tenant, settings and customers; those that
 * are `known` are not read again.
 */
export async function readCreditRules(
  replicas: Replicas,
  tx: TenantTx,
  customerIds: Iterable<string>,
  known: ReadonlyMap<string, CustomerState> = new Map(),
): Promise<Map<string, CreditRules>> {
  const ids = [...new Set(customerIds)];
  const rules = new Map<string, CreditRules>();
  if (ids.length === 0) return rules;
  const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
  const features = tenant?.features ?? [];
  if (!creditRules({ features, settings: {}, overrides: {} }).walletEnabled) {
    for (const id of ids) rules.set(id, NO_CREDIT);
    return rules;
  }
  const settings = (await replicas.get<Record<string, unknown>>(tx, 'settings', tx.tenantId)) ?? {};
  const unknown = ids.filter((id) => !known.has(id));
  const customers = await replicas.getMany<CustomerState>(tx, 'customer', unknown);
  for (const id of ids) {
    const customer = known.get(id) ?? customers.get(id);
    rules.set(id, creditRules({ features, settings, overrides: customer?.settings ?? {} }));
  }
  return rules;
}
