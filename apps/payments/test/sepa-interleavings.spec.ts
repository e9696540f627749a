import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, howMany, testSeed } from '@kontor/testing';
import { SettleOrders } from '../src/sepa/settle-orders.js';
import { bankAccount, importLines, line } from './bank-world.js';
import { type Json, type Tenant, World } from './world.js';

const SEED = testSeed;
let state = SEED;
/** A small generator, so that a failure can be repeated by its seed. */
const random = (below: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
};

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const seller = {
  company: 'X',
  bankAccount: { iban: 'DE02120300000000202051' },
  creditorIdentifier: 'DE98ZZZ09999999999',
};

async function debited(tenant: Tenant) {
  const customerId = await tenant.customer();
  const mandate = await tenant.method(customerId, 'sepa_debit', { sepaMandate: { iban: 'DE89370400440532013000' } });
  const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
  const number = tenant.world.nextNumber();
  const [invoiceId] = await tenant.finalize({ customerId, gross: 5000, number });
  const [mandateId, bankId] = [mandate.id as string, bank.id as string];
  return { customerId, invoiceId: invoiceId!, number, mandateId, bankId };
}

describe('exports, payments, credit notes, removals and lines of the bank at once', () => {
  it.each(Array.from({ length: howMany(2, 20) }, (_, n) => n + 1))(
    `round %d leaves the books in order, and no debit in two files (seed ${SEED})`,
    async () => {
      const tenant = await world.tenant({
        settings: { seller, creditOverpayments: true, applyCreditAutomatically: true },
      });
      const cases = await Promise.all(Array.from({ length: 12 }, () => debited(tenant)));
      await eventually(async () => (await tenant.rows(`SELECT 1 FROM sepa_order`)).length === 12, 'the debits');
      const account = await bankAccount(tenant);
      const settle = async (): Promise<void> => {
        const rows = await tenant.rows<{ id: string }>(
          `SELECT id FROM sepa_order WHERE status = 'exported' ORDER BY id`,
        );
        const ids = rows.filter(() => random(2) === 0).map((row) => row.id);
        await world.database.tenant(tenant.id, (tx) => world.service.get(SettleOrders).settle(tx, ids));
      };
      const returnOrder = async (): Promise<void> => {
        const [row] = await tenant.rows<{ id: string }>(
          `SELECT id FROM sepa_order WHERE status IN ('exported', 'settled') ORDER BY md5(id::text) LIMIT 1`,
        );
        const back = { reasonCode: 'AM04', reason: null, feeMinor: 0n };
        if (row)
          await world.database.tenant(tenant.id, (tx) => world.service.get(SettleOrders).returned(tx, row.id, back));
      };
      const steps = cases.flatMap(
        ({ customerId, invoiceId, number, bankId, mandateId }): (() => Promise<unknown>)[] => {
          const amount = { amount: { amount: 2000, currencyCode: 'EUR' } };
          return [
            () =>
              random(3) === 0 ? tenant.record(invoiceId, bankId, random(2) === 0 ? amount : {}) : Promise.resolve(),
            () => (random(3) === 0 ? tenant.creditNote(customerId, invoiceId, 1500) : Promise.resolve()),
            () =>
              random(3) === 0
                ? importLines(tenant, account, [
                    line({ amount: ['50.00', '35.00'][random(2)], remittanceInformation: number }),
                  ])
                : Promise.resolve(),
            () =>
              random(4) === 0
                ? tenant.call('DELETE', `/payment-methods/${mandateId}?newDefaultPaymentMethodId=${bankId}`)
                : Promise.resolve(),
            () => tenant.call('POST', '/sepa-xml-payments/export', {}, { 'idempotency-key': newUuid() }),
            settle,
            returnOrder,
          ];
        },
      );
      const shuffled = steps.map((step) => ({ step, at: random(1000) })).sort((a, b) => a.at - b.at);
      for (let i = 0; i < shuffled.length; i += 6)
        await Promise.all(shuffled.slice(i, i + 6).map(({ step }) => step()));
      expect(await tenant.broken()).toEqual([]);
      const files = await tenant.ok('GET', '/sepa-xml-payments?limit=100');
      const seen: string[] = [];
      for (const { id } of files.data as Json[]) {
        const details = await tenant.call('GET', `/sepa-xml-payments/${id}`, undefined, { accept: 'application/json' });
        seen.push(...details.body.payments.map((payment: Json) => payment.endToEndId));
      }
      expect(new Set(seen).size).toBe(seen.length);
    },
  );
});
