import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GatewayOutcome } from '../src/domain/gateways/gateway-outcome.js';
import { Gateways, type PaymentGateway } from '../src/gateways/port/payment-gateway.js';
import { OpenIntents } from '../src/intents/open-intents.js';
import { SettleCollections } from '../src/collections/settle-collections.js';
import { eventually } from '@kontor/testing';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let answer: PaymentGateway['collect'];
let memory: Partial<PaymentGateway> = {};
const refunds: string[] = [];
let refundStatus: 'succeeded' | 'pending' = 'succeeded';
const asked: string[] = [];

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  // The gateway of these tests answers as each test says; what it was asked for is kept.
  const gateways = world.service.get(Gateways);
  gateways.find = () => ({
    name: 'testing',
    ...memory,
    collect: (charges, context) => {
      asked.push(...charges.map((charge) => charge.id));
      return answer(charges, context);
    },
    refund: (asked) => {
      refunds.push(...asked.map(({ id }) => id));
      return Promise.resolve(new Map(asked.map(({ id }) => [id, { status: refundStatus, reference: `b-${id}` }])));
    },
  });
});
afterAll(() => world.stop());

const succeeded = (id: string): [string, GatewayOutcome] => [id, { status: 'succeeded', reference: `r-${id}` }];
const sweepNow = (): Promise<unknown> =>
  world.test.peek(`UPDATE due_work SET due_at = now(), poll_at = now() WHERE kind = 'payments.sweep_collection'`);

async function invoiceOf(gross: number) {
  const customerId = await tenant.customer();
  await tenant.method(customerId, 'testing');
  const [invoiceId] = await tenant.finalize({ customerId, gross });
  return { customerId, invoiceId: invoiceId! };
}

async function refundOf(customerId: string, invoiceId: string): Promise<string> {
  const now = new Date();
  const event = tenant.event({ customerId, gross: -2000, type: 'TYPE_REFUND' }, now);
  event.payload.referencedInvoiceId = invoiceId;
  await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, [event] as never), { now });
  return event.payload.invoiceId as string;
}

describe('a gateway that does not answer', () => {
  it('is asked again with the same id, and the late success is booked once', async () => {
    asked.length = 0;
    answer = () => Promise.reject(new Error('time-out'));
    const { customerId, invoiceId } = await invoiceOf(5000);
    await eventually(
      async () => (await world.test.peek(`SELECT 1 FROM due_work WHERE kind = 'payments.sweep_collection'`)).length > 0,
      'the sweeper',
    );
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'processing', openAmount: { amount: 5000 } });
    answer = (charges) => Promise.resolve(new Map(charges.map((charge) => succeeded(charge.id))));
    await sweepNow();
    await eventually(async () => (await tenant.intent(invoiceId)).status === 'succeeded', 'the late success');
    expect(new Set(asked).size).toBe(1);
    expect(asked.length).toBeGreaterThan(1);
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}`);
    expect(data).toMatchObject([{ status: 'succeeded', reference: `r-${asked[0]}` }]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('for one of a batch holds up that one only', async () => {
    answer = (charges) =>
      Promise.resolve(
        new Map(charges.filter((charge) => charge.amountMinor !== 777n).map((charge) => succeeded(charge.id))),
      );
    const customerId = await tenant.customer();
    await tenant.method(customerId, 'testing');
    const [stuck, fine] = await tenant.finalize({ customerId, gross: 777 }, { customerId, gross: 800 });
    await eventually(async () => (await tenant.intent(fine!)).status === 'succeeded', 'the other one');
    expect((await tenant.intent(stuck!)).status).toBe('processing');
    answer = (charges) =>
      Promise.resolve(new Map(charges.map((charge) => [charge.id, { status: 'declined', reason: 'no' }])));
    await sweepNow();
    await eventually(async () => (await tenant.intent(stuck!)).status === 'failed', 'the refusal');
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a crash between the answer and its booking', () => {
  it('asks again with the same id and books once', async () => {
    asked.length = 0;
    answer = (charges) => Promise.resolve(new Map(charges.map((charge) => succeeded(charge.id))));
    const settle = world.service.get(SettleCollections);
    const execute = settle.execute.bind(settle);
    let crashes = 1;
    settle.execute = (tx, outcomes) => (crashes-- > 0 ? Promise.reject(new Error('killed')) : execute(tx, outcomes));
    const { invoiceId } = await invoiceOf(5000);
    await eventually(async () => asked.length > 0 && crashes < 1, 'the first answer');
    expect((await tenant.intent(invoiceId)).status).toBe('processing');
    await eventually(async () => (await tenant.intent(invoiceId)).status === 'succeeded', 'the second try');
    expect(new Set(asked).size).toBe(1);
    expect(asked).toHaveLength(2);
    settle.execute = execute;
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a crash of days after a charge was asked for', () => {
  const provider = new Map<string, GatewayOutcome>();
  const crashOnce = async (): Promise<string> => {
    const settle = world.service.get(SettleCollections);
    const execute = settle.execute.bind(settle);
    asked.length = 0;
    answer = (charges) => {
      const paid = charges.map((charge) => succeeded(charge.id));
      for (const [id, outcome] of paid) provider.set(id, outcome);
      return Promise.resolve(new Map(paid));
    };
    settle.execute = () => {
      settle.execute = execute;
      return Promise.reject(new Error('killed'));
    };
    return (await invoiceOf(5000)).invoiceId;
  };
  afterAll(() => void (memory = {}));

  it('finds what the gateway has by now, though it would not recognize it', async () => {
    const lookUp: PaymentGateway['lookUp'] = (charges) =>
      Promise.resolve(new Map([...provider].filter(([id]) => charges.some((charge) => charge.id === id))));
    memory = { remembersForMs: 0, lookUp };
    const invoiceId = await crashOnce();
    await eventually(async () => (await tenant.intent(invoiceId)).status === 'succeeded', 'the second try');
    expect(asked).toHaveLength(1);
    expect(await tenant.broken()).toEqual([]);
  });

  it('asks for nothing while the gateway cannot say what it has', async () => {
    const unsure: PaymentGateway['lookUp'] = (charges) =>
      Promise.resolve(
        new Map(charges.filter(({ id }) => provider.has(id)).map(({ id }) => [id, { status: 'unknown' }])),
      );
    memory = { remembersForMs: 0, lookUp: unsure };
    const invoiceId = await crashOnce();
    const sweeps = () => world.test.peek(`SELECT 1 FROM due_work WHERE kind = 'payments.sweep_collection'`);
    await eventually(async () => (await sweeps()).length > 0, 'the sweeper');
    expect(asked).toHaveLength(1);
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'processing', openAmount: { amount: 5000 } });
    memory = { remembersForMs: 0, lookUp: () => Promise.resolve(new Map(provider)) };
    await sweepNow();
    await eventually(async () => (await tenant.intent(invoiceId)).status === 'succeeded', 'the late success');
    expect(asked).toHaveLength(1);
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a gateway that was out of reach for longer than it recognizes what it was asked', () => {
  afterAll(() => void (memory = {}));

  it('is asked again for what it has nothing of: charges and refunds', async () => {
    asked.length = 0;
    refunds.length = 0;
    answer = () => Promise.reject(new Error('the credentials are wrong'));
    const absent = () => Promise.resolve(new Map<string, never>());
    memory = { remembersForMs: 0, remembersRefundsForMs: 0, lookUp: absent, lookUpRefunds: absent };
    const { customerId, invoiceId } = await invoiceOf(5000);
    const due = (kind: string) => world.test.peek('SELECT 1 FROM due_work WHERE kind = $1', [`payments.sweep_${kind}`]);
    await eventually(async () => (await due('collection')).length > 0, 'the sweeper of charges');
    answer = (charges) => Promise.resolve(new Map(charges.map((charge) => succeeded(charge.id))));
    await sweepNow();
    await eventually(async () => (await tenant.intent(invoiceId)).status === 'succeeded', 'the charge');
    expect(new Set(asked).size).toBe(1);

    const refund = await refundOf(customerId, invoiceId);
    await eventually(async () => (await tenant.intent(refund)).status === 'succeeded', 'the refund');
    expect(refunds).toHaveLength(1);
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a refund that the gateway has accepted', () => {
  afterAll(() => void ([memory, refundStatus] = [{}, 'succeeded']));

  it('is looked up after hours, and never asked for again, should the call-back get lost', async () => {
    refunds.length = 0;
    refundStatus = 'pending';
    const lookedUp: (string | null | undefined)[] = [];
    let known: 'pending' | 'succeeded' = 'pending';
    memory = {
      remembersRefundsForMs: 0,
      lookUpRefunds: (some) => {
        lookedUp.push(...some.map(({ reference }) => reference));
        return Promise.resolve(
          new Map(
            some.flatMap(({ id, reference }) => (reference ? [[id, { status: known, reference }] as const] : [])),
          ),
        );
      },
    };
    answer = (charges) => Promise.resolve(new Map(charges.map((charge) => succeeded(charge.id))));
    const { customerId, invoiceId } = await invoiceOf(5000);
    await eventually(async () => (await tenant.intent(invoiceId)).status === 'succeeded', 'the charge');
    const refund = await refundOf(customerId, invoiceId);
    const later = `kind = 'payments.sweep_refund' AND due_at > now() + interval '5 hours'`;
    const waits = () =>
      eventually(
        async () => (await world.test.peek(`SELECT 1 FROM due_work WHERE ${later}`)).length === 1,
        'the look after hours',
      );
    const look = () => world.test.peek(`UPDATE due_work SET due_at = now(), poll_at = now() WHERE ${later}`);
    await waits();
    await look();
    await eventually(() => Promise.resolve(lookedUp.length === 2), 'the first look');
    await waits();
    expect((await tenant.intent(refund)).status).toBe('processing');
    known = 'succeeded';
    await look();
    await eventually(async () => (await tenant.intent(refund)).status === 'succeeded', 'the refund');
    expect(refunds).toHaveLength(1);
    expect(lookedUp).toEqual([null, `b-${refunds[0]}`, `b-${refunds[0]}`]);
    expect(await world.test.peek(`SELECT 1 FROM due_work WHERE kind = 'payments.sweep_refund'`)).toEqual([]);
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a payment that comes while the gateway is collecting', () => {
  it('leaves the collection too much, which becomes credit', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = (charges) => held.then(() => new Map(charges.map((charge) => succeeded(charge.id))));
    const { customerId, invoiceId } = await invoiceOf(5000);
    const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
    const paid = await tenant.record(invoiceId, bank.id);
    expect(paid.body.intent).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    release();
    await eventually(async () => (await tenant.balance(customerId)) === 5000, 'the credit');
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });
});
