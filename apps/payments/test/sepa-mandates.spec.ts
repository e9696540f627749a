import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const iban = 'DE89 3704 0044 0532 0130 00';
const add = async (sepaMandate: object, more: object = {}) =>
  tenant.call('POST', '/payment-methods', {
    gateway: 'sepa_debit',
    customerId: await tenant.customer(),
    sepaMandate,
    ...more,
  });

describe('a SEPA mandate', () => {
  it('is shown masked and stored sealed', async () => {
    const given = {
      iban,
      bic: 'cobadeffxxx',
      accountHolder: 'Backhaus Elbe',
      mandateReference: 'MND-4711',
      signingDate: '2026-01-31',
    };
    const answer = await add(given);
    expect(answer).toMatchObject({ status: 201, body: { status: 'active', actionRequired: false, failReason: null } });
    const { paymentMethod } = answer.body;
    expect(paymentMethod).toMatchObject({
      gatewayName: 'sepa_debit',
      type: 'sepa_debit',
      name: 'SEPA DE89••••3000',
      sepaDebit: { iban: 'DE89••••3000', bic: 'COBADEFFXXX', mandateReference: 'MND-4711', signingDate: '2026-01-31' },
      sepaMandate: {
        mandateReference: 'MND-4711',
        sequenceType: 'FRST',
        scheme: 'CORE',
        accountHolder: 'Backhaus Elbe',
      },
    });
    const rows = JSON.stringify([
      await tenant.rows('SELECT * FROM payment_method WHERE id = $1', [paymentMethod.id]),
      await tenant.events(paymentMethod.id),
    ], (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)); // prettier-ignore
    expect(rows).not.toContain('DE89370400440532013000');
  });

  it('needs no more than an IBAN: the reference is made up, the holder is the customer, it is signed today', async () => {
    const { body } = await add({ iban });
    expect(body.paymentMethod.sepaMandate).toMatchObject({
      accountHolder: 'Backhaus Elbe GmbH',
      signingDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(body.paymentMethod.sepaDebit.mandateReference).toMatch(/^M-[0-9A-Z]{26}$/);
  });

  it('for one payment only is a single debit', async () => {
    const { body } = await add({ iban }, { futureUsageAllowed: false });
    expect(body.paymentMethod).toMatchObject({ default: false, sepaMandate: { sequenceType: 'OOFF' } });
  });

  it.each([
    [{ iban: 'DE89370400440532013001' }, 422, 'validation_failed'],
    [{ iban: 'BR1500000000000010932840814P2' }, 422, 'validation_failed'],
    [{ iban: '' }, 422, 'validation_failed'],
    [{}, 400, 'invalid_request'],
    [{ iban: 5 }, 400, 'invalid_request'],
    [{ iban, bic: 'NOBIC' }, 422, 'validation_failed'],
    [{ iban, mandateReference: 'mit Umlaut ä' }, 422, 'validation_failed'],
    [{ iban, mandateReference: 'X'.repeat(36) }, 422, 'validation_failed'],
    [{ iban, signingDate: '2026-02-30' }, 422, 'validation_failed'],
    [{ iban, signingDate: '2999-01-01' }, 422, 'validation_failed'],
    [{ iban, signingDate: '2019-01-01' }, 422, 'validation_failed'],
    [{ iban, sequenceType: 'EVER' }, 422, 'validation_failed'],
    [{ iban, scheme: 'COR1' }, 422, 'validation_failed'],
    [{ iban, type: 'COR1' }, 422, 'validation_failed'],
    [{ iban, sequence: 'EVER' }, 422, 'validation_failed'],
    [{ iban, accountHolder: '' }, 422, 'validation_failed'],
    [{ iban, pin: '1234' }, 400, 'unknown_field'],
  ])('refuses %j', async (mandate, status, reason) => {
    const { status: got, body } = await add(mandate);
    expect([got, body.reason]).toEqual([status, reason]);
    if (reason === 'validation_failed') expect(body.violations[0].propertyPath).toMatch(/^sepaMandate\./);
  });

  it('of another customer is refused, whatever the case of its reference, also for two requests at once', async () => {
    const mandateReference = `K${newUuid().slice(0, 18)}`;
    const answers = await Promise.all([
      add({ iban, mandateReference }),
      add({ iban, mandateReference: mandateReference.toUpperCase() }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422]);
    const third = await add({ iban: 'FR1420041010050500013M02606', mandateReference });
    expect([third.status, third.body.reason]).toEqual([422, 'already_exists']);
  });

  it('taken over in use goes on as a following debit', async () => {
    const { body } = await add({ iban, sequenceType: 'RCUR', signingDate: '2019-01-01', scheme: 'B2B' });
    expect(body.paymentMethod.sepaMandate).toMatchObject({
      sequenceType: 'RCUR',
      signingDate: '2019-01-01',
      scheme: 'B2B',
    });
  });

  it('is accepted in the words of a cart as well', async () => {
    const { body } = await add({ iban, sequence: 'RCUR', signingDate: '2019-01-01', type: 'B2B' });
    expect(body.paymentMethod.sepaMandate).toMatchObject({ sequenceType: 'RCUR', scheme: 'B2B' });
  });
});
