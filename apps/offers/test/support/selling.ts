import { expect } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, eventually, testService, type TestService, type TestServiceOptions } from '@kontor/testing';
import { offersService } from '../../src/index.js';
import { BillingStandIn } from './billing-stand-in.js';
import { InvoicingLog } from './invoicing-log.js';

export const NOW = new Date('2026-03-02T09:00:00.000Z');
export const END = '2026-03-10T22:59:59.999Z';
export const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
export const QUOTE = {
  currencyCode: 'EUR',
  lines: [{ name: 'Team', description: null, quantity: '3', netAmount: eur(3000), discountAmount: null }],
  totals: { net: eur(3000), tax: eur(570), gross: eur(3570), discount: eur(0) },
  recurring: [{ interval: '1M', net: eur(3000), gross: eur(3570) }],
  billingDate: NOW.toISOString(),
};
export let offers: TestService;
export let billing: BillingStandIn;
export let invoicing: InvoicingLog;

/** The service, with a stand-in for billing and invoicing, for a spec. */
export async function startSelling(options: Pick<TestServiceOptions, 'db'> = {}): Promise<void> {
  billing = await BillingStandIn.start();
  offers = await testService(offersService, { now: NOW, directory: billing.directory, ...options });
  invoicing = new InvoicingLog(offers.bus);
  offers.service.kit.replicas.readThrough(null);
}
export async function stopSelling(): Promise<void> {
  await offers.stop();
  await billing.stop();
}
/** Billing is there, refuses nothing, and sells at {@link QUOTE}. */
export function billingIsWell(): void {
  billing.isAway = false;
  billing.refusal = null;
  billing.answers = ({ path }) =>
    path.endsWith('/offer') || path.endsWith('/previews')
      ? { subscriptionId: null, quote: QUOTE, prices: [] }
      : path.endsWith('/quotes')
        ? QUOTE
        : { customerId: '', subscriptionId: null, invoiceId: null };
}

export async function tenant({ withAddress = true } = {}) {
  const [id, customerId, subscriptionId] = [newUuid(), newUuid(), newUuid()];
  const address = { status: 'active', street: 'Elbchaussee', zip: '22765', city: 'Hamburg' };
  await offers.giveCopy('tenant', id, id, { id, name: 'Nordlicht', timeZone: 'Europe/Berlin', mode: 'sandbox' });
  await offers.giveCopy('customer', id, customerId, {
    id: customerId,
    status: 'STATUS_ACTIVE',
    email: 'einkauf@backhaus.example',
    language: 'de',
    countryCode: 'DE',
    companyName: 'Backhaus',
    firstName: null,
    lastName: null,
    addresses: withAddress ? [address] : [],
    representation: { id: customerId },
  });
  await offers.giveCopy('subscription', id, subscriptionId, { id: subscriptionId, customerId, number: 'S-1' });
  await offers.peek('INSERT INTO tenant_clock (tenant_id, now) VALUES ($1, $2)', [id, NOW]);
  return { id, customerId, subscriptionId, send: offers.as(apiKeyPrincipal(id)) };
}
export type Tenant = Awaited<ReturnType<typeof tenant>>;
export const anybody = () => offers.as(null);
export const tokenOf = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** A published offer with recipients, and their tokens. */
export async function published(
  { send, customerId, subscriptionId }: Tenant,
  body: Record<string, unknown> = {},
  people: Record<string, unknown>[] = [{ email: 'jule@backhaus.example' }],
) {
  const made = await send('POST', '/offers', {
    customer: customerId,
    subscription: subscriptionId,
    validUntil: END,
    recipients: people,
    ...body,
  });
  expect(made.status).toBe(201);
  const offer = await send('POST', `/offers/${made.body.id}/publish`);
  expect(offer.status).toBe(201);
  const links = new Map(made.body.recipients.map((r: { email: string; link: string }) => [r.email, r.link]));
  const tokens = people.map(({ email }) => tokenOf(String(links.get(email))));
  return { id: made.body.id as string, tokens, offer: offer.body };
}
export const signature = (name = 'Jule Brandt') => ({ name, signature: { type: 'typed', data: name } });
export const notices = async (offerId: string): Promise<string[]> =>
  (
    await offers.peek<{ type: string }>(
      "SELECT n->>'type' AS type FROM outbox, jsonb_array_elements(payload::jsonb->'notices') n WHERE aggregate_id = $1 ORDER BY id",
      [offerId],
    )
  ).map((row) => row.type);
/** Due work is done until the sale is what it becomes; what failed waits a moment before it is tried again. */
export const settled = (seller: Tenant, id: string, state = 'done') =>
  eventually(async () => {
    await run(seller.id);
    return (await seller.send('GET', `/offers/${id}`)).body.sale.state === state;
  });
export const run = async (tenantId: string, at: Date = NOW): Promise<void> => {
  await offers.peek('UPDATE tenant_clock SET now = $2 WHERE tenant_id = $1', [tenantId, at]);
  await offers.service.kit.dueRunner.runDue(tenantId, at);
};
