import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { backhaus, Billing, type Tenant } from './support/billing.js';

/** A stand-in for VIES with the same contract. */
let vies: Server;
let answer: { status: number; body: unknown } = { status: 200, body: { valid: true } };
const asked: unknown[] = [];
let billing: Billing;

beforeAll(async () => {
  vies = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      asked.push(JSON.parse(text));
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => vies.listen(0, '127.0.0.1', resolve));
  billing = await Billing.start({
    env: { VIES_URL: `http://127.0.0.1:${(vies.address() as { port: number }).port}/check` },
  });
});
afterEach(() => void (answer = { status: 200, body: { valid: true } }));
afterAll(async () => {
  await billing.stop();
  vies.close();
});

const create = async ({ call }: Tenant, vatId: string) =>
  (await call('POST', '/customers', { ...backhaus, vatId })).body;
const status = async ({ call }: Tenant, id: string, wanted: string) => {
  let seen: string | undefined;
  for (let i = 0; i < 100 && seen !== wanted; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    seen = (await call('GET', `/customers/${id}`)).body.vatIdStatus;
  }
  return seen;
};

describe('in a sandbox', () => {
  it.each([['DE123456789', 'valid'], ['DE123456000', 'invalid'], ['DE123456999', 'unavailable'], ['DE1', 'invalid'], ['CHE123456789', 'unchecked']])(
    '%s is %s at once, and nobody is asked',
    async (vatId, vatIdStatus) => {
      expect(await create(await billing.tenant(), vatId)).toMatchObject({ vatId, vatIdStatus });
      expect(asked).toEqual([]);
    },
  ); // prettier-ignore

  it('another id is another question', async () => {
    const tenant = await billing.tenant();
    const { id } = await create(tenant, 'de 123.456.000');
    const changed = await tenant.call('PUT', `/customers/${id}`, { ...backhaus, language: 'de', vatId: 'DE123456789' });
    expect(changed.body).toMatchObject({ vatId: 'DE123456789', vatIdStatus: 'valid' });
    expect((await tenant.call('PUT', `/customers/${id}`, { ...backhaus, language: 'de' })).body).toMatchObject({
      vatId: null,
      vatIdStatus: 'unchecked',
    });
    expect(await billing.noticeTypes(id)).toEqual([
      'customer.created', 'customer.vat_id.invalidated', 'customer.updated', 'customer.vat_id.validated', 'customer.updated',
    ]); // prettier-ignore
  });
});

describe('live', () => {
  it('VIES is asked after the commit, and its answer published', async () => {
    const tenant = await billing.tenant({ mode: 'live' });
    const { id, vatIdStatus } = await create(tenant, 'DE123456789');
    expect(vatIdStatus).toBe('unchecked');
    expect(await status(tenant, id, 'valid')).toBe('valid');
    expect(asked.pop()).toEqual({ countryCode: 'DE', vatNumber: '123456789' });
    expect(await billing.noticeTypes(id)).toEqual([
      'customer.created',
      'customer.updated',
      'customer.vat_id.validated',
    ]);
    const [due] = await billing.test.peek<{ due_at: Date }>('SELECT due_at FROM due_work WHERE ref = $1', [id]);
    expect(due!.due_at.getTime()).toBeGreaterThan(billing.test.clock.now().getTime() + 24 * 86_400_000);
  });

  it('a refused id is invalid and not asked again', async () => {
    answer = { status: 200, body: { valid: false, userError: 'INVALID' } };
    const tenant = await billing.tenant({ mode: 'live' });
    const { id } = await create(tenant, 'FRXX123456789');
    expect(await status(tenant, id, 'invalid')).toBe('invalid');
    expect(await billing.test.peek('SELECT 1 FROM due_work WHERE ref = $1', [id])).toEqual([]);
  });

  it.each([
    ['an error of VIES', { status: 503, body: {} }],
    ['a member state that is away', { status: 200, body: { valid: false, userError: 'MS_UNAVAILABLE' } }],
    ['nonsense', { status: 200, body: 'what?' }],
  ])('%s means unavailable, and is repeated within an hour', async (_name, failing) => {
    answer = failing;
    const tenant = await billing.tenant({ mode: 'live' });
    const { id } = await create(tenant, 'ATU12345678');
    expect(await status(tenant, id, 'unavailable')).toBe('unavailable');
    const [due] = await billing.test.peek<{ due_at: Date }>('SELECT due_at FROM due_work WHERE ref = $1', [id]);
    expect(due!.due_at.getTime() - billing.test.clock.now().getTime()).toBeLessThanOrEqual(3_600_000);
    expect(due!.due_at.getTime()).toBeGreaterThan(billing.test.clock.now().getTime() + 3_000_000);
  });
});
