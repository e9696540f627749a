import { exampleId, WEBHOOK_EVENTS, type WebhookEvent } from '@kontor/contracts';

type ObjectKey = (typeof WEBHOOK_EVENTS)[WebhookEvent]['key'];

const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
const id = exampleId(1);
const createdAt = '2026-02-28T08:15:00.000Z';

/** The fields by which receivers tell objects apart; a delivery has all that GET answers. */
const OBJECTS: Readonly<Record<ObjectKey, Record<string, unknown>>> = {
  customer: { id, customerNumber: '10001', email: 'rechnung@backhaus-elbe.example', status: 'STATUS_ACTIVE' },
  product: { id, name: 'Team', type: 'product', status: 'active' },
  price: { id, type: 'per_unit', currencyCode: 'EUR', billingInterval: '1M', status: 'active' },
  coupon: { id, code: 'WELCOME', type: 'percentage', frequency: 'once', percentage: '10' },
  feature: { id: 'seats', name: 'Seats', type: 'quantity', status: 'active' },
  entitlement: { id, feature: { id: 'seats', name: 'Seats', type: 'quantity' }, value: '10', status: 'active' },
  subscription: { id, number: 'S-10001', name: 'Team', status: 'active', nextBillingDate: '2026-03-27T23:00:00.000Z' },
  invoice: {
    id,
    type: 'TYPE_INVOICE',
    number: 'RE-2026-00001',
    status: 'STATUS_UNPAID',
    grossAmount: eur(11900),
    unpaidAmount: eur(11900),
  },
  dunningDocument: {
    id,
    number: 'MA-2026-00001',
    level: 2,
    status: 'open',
    invoice: { id: exampleId(2), number: 'RE-2026-00001' },
    claimAmount: eur(7500),
  },
  payment: { id, type: 'payment', status: 'failed', amount: eur(11900) },
  paymentMethod: { id, gatewayName: 'sepa_debit', status: 'active', default: true },
  wallet: { id, customerId: exampleId(2), currencyCode: 'EUR', balance: eur(5000) },
  topUp: { id, customerId: exampleId(2), status: 'completed', requestedAmount: eur(5000), creditedAmount: eur(5000) },
  usage: { id, value: '10000', reachedValue: '10000' },
  cart: { id, status: 'completed', customerId: exampleId(2), subscriptionId: exampleId(3), totals: null },
  checkoutLink: { id, slug: 'team', name: 'Team', isEnabled: true },
  offer: { id: '01KJ4Z5N3V7X4Q0M6R8T2W9YBC', number: 'A-10001', status: 'open', validUntil: createdAt },
  tenant: { id, name: 'Backhaus Elbe GmbH', mode: 'live', status: 'closed' },
  import: { imported: 12, duplicates: 1, failed: 0 },
  webhook: { id, url: 'https://example.com/kontor', events: ['invoice.*'], enabled: true },
};

export interface EventType {
  readonly type: WebhookEvent;
  readonly description: string;
  /** The body of a delivery. */
  readonly example: Record<string, unknown>;
}

/** Every event that receivers can be sent, by name. */
export const EVENT_TYPES: readonly EventType[] = (Object.keys(WEBHOOK_EVENTS) as WebhookEvent[])
  .sort()
  .map((type) => ({ type, description: WEBHOOK_EVENTS[type].description, example: exampleOf(type) }));

function exampleOf(type: WebhookEvent): Record<string, unknown> {
  const { key } = WEBHOOK_EVENTS[type];
  const event = { id: '01KJ4Z5N3V7X4Q0M6R8T2W9YBD', type, version: 'v1', createdAt, sequence: 1 };
  return { event, salesChannel: null, data: { [key]: OBJECTS[key] } };
}
