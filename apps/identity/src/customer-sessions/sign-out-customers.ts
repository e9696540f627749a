import { customerChangedV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { endSessionsOf } from './end-sessions-of.js';

type CustomerChanged = EventOf<typeof customerChangedV1>;

const isGone = ({ payload }: CustomerChanged): boolean => payload.deleted;

/** Capitals are no other address. */
const hasOtherAddress = ({ payload }: CustomerChanged): boolean =>
  payload.notices.some(({ type, activity }) => {
    const { from, to } = (activity?.metadata ?? {}) as { from?: string; to?: string };
    return type === 'customer.email.default_changed' && from?.toLowerCase() !== to?.toLowerCase();
  });

const endsSessions = (event: CustomerChanged): boolean => isGone(event) || hasOtherAddress(event);

/**
 * A customer is who reads the mail of an address. When the seller changes it, or deletes the customer, whoever signed in by it is signed
 * out: links that were mailed, sessions, and what apps were given.
 */
@EventConsumer()
export class SignOutCustomers {
  constructor(private readonly replicas: Replicas) {}

  @Consume(customerChangedV1, { consumer: 'sessions', concerns: endsSessions })
  async customer({ payload }: CustomerChanged, tx: TenantTx): Promise<void> {
    const { id, version, deleted, state } = payload;
    // Copies are stored by another consumer, which may lag behind: no link goes to the former address from here on.
    await this.replicas.apply(tx, 'customer', id, version, state, deleted);
    await endSessionsOf(tx, id);
  }
}
