import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { customerPrincipal } from '@kontor/testing';
import { BANK, bankAccount, line, lines } from './bank-world.js';
import { type Answer, type Json, type Tenant, World } from './world.js';

type Row = readonly [string, number, string, () => Promise<Answer>];

let world: World;
let tenant: Tenant;
let account: string;
let customer: string;
let bank: Json;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  account = await bankAccount(tenant);
  customer = await tenant.customer();
  bank = await tenant.method(customer);
});
afterAll(() => world.stop());

const invoice = async (owner = customer): Promise<string> =>
  (await tenant.finalize({ customerId: owner, gross: 100 }))[0]!;
const booked = () =>
  tenant.rows<{ transfers: bigint; payments: bigint }>(
    'SELECT (SELECT count(*) FROM ledger_transfer) AS transfers, (SELECT count(*) FROM payment_transaction) AS payments',
  );

/** Refusals: status and reason are as said, and nothing is booked. @see docs/rules/bank.md#order-of-refusals */
const check = (rows: readonly Row[]): void => {
  it.each(rows)('%s: %i %s', async (_row, status, reason, ask) => {
    const answer = await ask();
    expect([answer.status, answer.body.reason, answer.body.status]).toEqual([status, reason, status]);
    expect(await tenant.broken()).toEqual([]);
  });
};

describe('assign-with-disposition', () => {
  const assign = async (amount: string, body: object, more: object = {}): Promise<Answer> => {
    const [found] = await lines(tenant, account, [line({ amount, ...more })]);
    const before = await booked();
    const answer = await tenant.call('POST', `${BANK}/${found.id}/assign-with-disposition`, body);
    expect(await booked()).toEqual(before);
    return answer;
  };
  const url = (id = newUuid()): string => `${BANK}/${id}/assign-with-disposition`;

  check([
    ['token lacks BankAccountTransactionWrite', 403, 'permission_denied', () =>
      world.http({ ...tenant.key, permissions: ['bank-account-transaction:read'] }, 'POST', url(), {})],
    ['no transaction with that id in the organisation', 404, 'not_found', async () =>
      tenant.call('POST', url(), { invoiceIds: [await invoice()], disposition: 'open' })],
    ['assignmentAmounts sent with credit_wallet', 422, 'assignment_amounts_with_wallet_disposition', async () => {
      const id = await invoice();
      return assign('1.00', { invoiceIds: [id], disposition: 'credit_wallet', assignmentAmounts: { [id]: '1.00' } });
    }],
    ['assignmentAmounts sent with credit_wallet_and_payout', 422, 'assignment_amounts_with_wallet_disposition', async () => {
      const id = await invoice();
      return assign('1.00', { invoiceIds: [id], disposition: 'credit_wallet_and_payout', assignmentAmounts: { [id]: '1.00' } });
    }],
    ['the transaction is a returned direct debit', 422, 'return_transaction', async () =>
      assign('-1.00', { invoiceIds: [await invoice()], disposition: 'open' }, { isReturn: true })],
    ['wallet dispositions need an incoming positive transaction', 422, 'non_positive_transaction', async () =>
      assign('-1.00', { invoiceIds: [await invoice()], disposition: 'credit_wallet' })],
    ['the last invoice has no single resolvable payment intent', 422, 'no_single_payment_intent', async () => {
      const id = await invoice();
      await world.database.tenant(tenant.id, (tx) =>
        tx.query(`UPDATE payment_intent SET status = 'cancelled' WHERE tenant_id = $1 AND invoice_id = $2`, [tx.tenantId, id]),
      );
      return assign('1.00', { invoiceIds: [id], disposition: 'credit_wallet' });
    }],
    ['credit_wallet_and_payout requested', 422, 'payout_not_available', async () =>
      assign('1.00', { invoiceIds: [await invoice()], disposition: 'credit_wallet_and_payout' })],
    ['unknown invoice id', 422, 'unknown_reference', () => assign('1.00', { invoiceIds: [newUuid()], disposition: 'open' })],
    ['empty invoiceIds', 422, 'validation_failed', () => assign('1.00', { invoiceIds: [], disposition: 'open' })],
    ['invalid disposition value', 422, 'validation_failed', async () =>
      assign('1.00', { invoiceIds: [await invoice()], disposition: 'keep' })],
    ['wallet dispositions with invoices of several customers', 422, 'multiple_customers', async () =>
      assign('1.00', { invoiceIds: [await invoice(), await invoice(await tenant.customer())], disposition: 'credit_wallet' })],
  ]); // prettier-ignore
});

describe('wallet', () => {
  const wallet = (verb: string, path: string, body?: object) => tenant.call(verb, `/api/wallet/${path}`, body);
  const topUp = { amount: 5, currencyCode: 'EUR' };
  const rule = { currencyCode: 'EUR', thresholdAmount: 1, topUpAmount: 1 };
  const whose = async () => ({
    customerId: (await tenant.method(await tenant.customer(), 'testing')).customerId as string,
  });

  check([
    ['missing required field', 400, 'invalid_request', async () => wallet('POST', 'top-up', { ...(await whose()), currencyCode: 'EUR' })],
    ['duplicate rule for the same customer and currency', 400, 'already_exists', async () => {
      const owner = await whose();
      await wallet('POST', 'auto-top-up', { ...owner, ...rule });
      return wallet('POST', 'auto-top-up', { ...owner, ...rule });
    }],
    ['feature not enabled', 403, 'feature_not_enabled', async () =>
      (await world.tenant({ features: [] })).call('POST', '/api/wallet/top-up', { customerId: newUuid(), ...topUp })],
    ["customer accessing another customer's data", 403, 'foreign_customer', () =>
      world.http(customerPrincipal(tenant.id, newUuid()), 'GET', `/api/wallet/balances?customerId=${customer}`)],
    ['rule not found', 404, 'not_found', () => wallet('PUT', `auto-top-up/${newUuid()}`, { enabled: true })],
    ['top-up not found', 404, 'not_found', () => wallet('GET', `top-ups/${newUuid()}`)],
    ['invalid amount (zero)', 422, 'validation_failed', async () => wallet('POST', 'top-up', { ...(await whose()), ...topUp, amount: 0 })],
    ['invalid amount (negative)', 422, 'validation_failed', async () => wallet('POST', 'top-up', { ...(await whose()), ...topUp, amount: -1 })],
    ['invalid amount of a rule', 422, 'validation_failed', async () => wallet('POST', 'auto-top-up', { ...(await whose()), ...rule, topUpAmount: 0 })],
    ['invalid currency code', 422, 'validation_failed', async () => wallet('POST', 'top-up', { ...(await whose()), ...topUp, currencyCode: 'XXQ' })],
  ]); // prettier-ignore
});

describe('add invoice payment, as far as payments decides it', () => {
  const money = (amount: number, currencyCode = 'EUR') => ({ amount: { amount, currencyCode }, currencyCode });
  const add = async (more: object): Promise<Answer> => {
    const id = await invoice();
    const before = await booked();
    const answer = await tenant.record(id, bank.id, more);
    expect(await booked()).toEqual(before);
    return answer;
  };

  check([
    ['another currency', 422, 'currency_mismatch', () => add(money(10, 'CHF'))],
    ['zero', 422, 'validation_failed', () => add(money(0))],
    ['a negative amount', 422, 'validation_failed', () => add(money(-1))],
    ['a date in the future', 422, 'validation_failed', () => add({ paymentDate: '2999-01-01T00:00:00.000Z' })],
    ['an unknown method', 422, 'unknown_reference', async () => tenant.record(await invoice(), newUuid())],
    ['an invoice that is not unpaid', 422, 'invoice_not_unpaid', async () => {
      const id = await invoice();
      await tenant.record(id, bank.id);
      return tenant.record(id, bank.id);
    }],
  ]); // prettier-ignore
});
