import type { CustomerState } from '@kontor/contracts';
import { type Tx, unknownReference } from '@kontor/kernel';
import type { Replicas } from '@kontor/persistence';
import { customerAnonymized } from '@kontor/service-kit';

/**
 * The copy of a customer, held by who is about to keep something for it: it is neither deleted nor anonymized before the transaction
 * ends. @throws DomainError `unknown_reference`, `customer_anonymized`
 */
export async function holdCustomer(replicas: Replicas, tx: Tx, id: string): Promise<CustomerState> {
  return requireCustomer(await replicas.hold<CustomerState>(tx, 'customer', id));
}

/** @throws DomainError `unknown_reference`, `customer_anonymized` */
export function requireCustomer(customer: CustomerState | null | undefined): CustomerState {
  if (!customer) throw unknownReference('customerId', 'customer');
  if (customer.anonymizedAt) throw customerAnonymized();
  return customer;
}
