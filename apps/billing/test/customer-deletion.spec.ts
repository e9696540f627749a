import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, servicePrincipal } from '@kontor/testing';
import { beginDeletion } from '../src/customers/pending-deletion.js';
import { backhaus, Billing, type Tenant } from './support/billing.js';
import { OtherServices } from './support/other-services.js';

let others: OtherServices;
let billing: Billing;
let tenant: Tenant;
beforeAll(async () => {
  others = await new OtherServices().start();
  billing = await Billing.start({ directory: others.directory });
  tenant = await billing.tenant();
});
afterEach(() => others.reset());
afterAll(async () => {
  await billing?.stop();
  await others?.stop();
});

const create = async () => (await tenant.call('POST', '/customers', backhaus)).body;
const read = (id: string) => tenant.call('GET', `/customers/${id}`);
const remove = (id: string) => tenant.call('DELETE', `/customers/${id}`);
const change = (id: string, phone = '040') =>
  tenant.call('PUT', `/customers/${id}`, { ...backhaus, language: 'de', phone });
/** Versions of what was published about a customer, in order; a deletion's is negative. */
const published = async (id: string): Promise<number[]> => {
  const events = await billing.test.peek<{ payload: { version: number; deleted: boolean } | string }>(
    'SELECT payload FROM outbox WHERE aggregate_id = $1 ORDER BY id',
    [id],
  );
  return events
    .map(({ payload }) =>
      typeof payload === 'string' ? (JSON.parse(payload) as { version: number; deleted: boolean }) : payload,
    )
    .map(({ version, deleted }) => (deleted ? -version : version));
};
const pending = (id: string) => billing.test.peek('SELECT 1 FROM due_work WHERE ref = $1', [id]);
const versionForCopies = async (id: string): Promise<number> => {
  const ask = billing.test.as(servicePrincipal(tenant.id, 'payments'));
  const { body } = await ask('GET', `/internal/replicas/customer/${tenant.id}?id=${id}`);
  return body.items[0].version;
};
const inUse = { status: 422, body: { reason: 'in_use' } };

describe('a customer is deleted', () => {
  it('once all services have released it in the version of its deletion', async () => {
    const { id } = await create();
    expect((await remove(id)).status).toBe(204);
    expect(others.released).toEqual(OtherServices.NAMES.map(() => ({ customerId: id, version: 2 })));
    expect((await read(id)).status).toBe(404);
    expect(await published(id)).toEqual([1, -2]);
    expect(await billing.noticeTypes(id)).toEqual(['customer.created', 'customer.deleted', 'customer.removed']);
    expect(await pending(id)).toEqual([]);
  });

  it('while it is being deleted it is there as it was, also for who copies it', async () => {
    const customer = await create();
    const seen: unknown[] = [];
    others.onRelease = async () => {
      seen.push((await read(customer.id)).body, await versionForCopies(customer.id));
      return [];
    };
    expect((await remove(customer.id)).status).toBe(204);
    expect(seen.slice(0, 2)).toEqual([customer, 1]);
  });

  it('by two requests at once in one version, once', async () => {
    const { id } = await create();
    let asked = 0;
    let all: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (all = resolve));
    others.onRelease = async () => {
      if (++asked === 2 * OtherServices.NAMES.length) all();
      await both;
      return [];
    };
    const answers = await Promise.all([remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(new Set(others.released.map(({ version }) => version))).toEqual(new Set([2]));
    expect(await billing.noticeTypes(id)).toEqual(['customer.created', 'customer.deleted', 'customer.removed']);
  });

  it('that is changed meanwhile in the version after', async () => {
    const { id } = await create();
    others.onRelease = async ({ version }) => {
      if (version === 2 && others.released.length === 1) expect((await change(id)).status).toBe(200);
      return [];
    };
    expect((await remove(id)).status).toBe(204);
    expect(await published(id)).toEqual([1, 3, -4]);
    expect(await pending(id)).toEqual([]);
  });
});

describe('a customer stays', () => {
  it('and nobody is asked to release it, where something refers to it already', async () => {
    const [{ id }, parent, child] = [await create(), await create(), await create()];
    others.references = ['invoice', 'offer'];
    expect(await remove(id)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('invoice, offer') },
    });
    others.references = [];
    await tenant.call('PUT', `/customers/${child.id}/set-parent`, { parentCustomerId: parent.id });
    expect(await remove(parent.id)).toMatchObject(inUse);
    expect(others.released).toEqual([]);
    expect([await published(id), await published(parent.id)]).toEqual([[1], [1]]);
    expect([await pending(id), await pending(parent.id)]).toEqual([[], []]);
  });

  const refusals: [string, string[] | null, object][] = [
    ['a service finds something that refers to it', ['wallet'], inUse],
    ['a service does not answer', null, { status: 503 }],
  ];
  it.each(refusals)('and comes back with its next version when %s', async (_, answer, expected) => {
    const customer = await create();
    others.onRelease = () => (others.released.length === 1 ? answer : []);
    expect(await remove(customer.id)).toMatchObject(expected);
    expect((await read(customer.id)).body).toEqual(customer);
    expect(await published(customer.id)).toEqual([1, 3]);
    expect(await versionForCopies(customer.id)).toBe(3);
    expect(await billing.noticeTypes(customer.id)).toEqual(['customer.created']);
    expect(await pending(customer.id)).toEqual([]);
    others.onRelease = () => [];
    expect((await remove(customer.id)).status).toBe(204);
  });

  it('when something here has come to refer to it', async () => {
    const [{ id }, child] = [await create(), await create()];
    others.onRelease = async () => {
      if (others.released.length === 1)
        await tenant.call('PUT', `/customers/${child.id}/set-parent`, { parentCustomerId: id });
      return [];
    };
    expect(await remove(id)).toMatchObject(inUse);
    expect((await read(id)).status).toBe(200);
    expect(await published(id)).toEqual([1, 3]);
  });

  it('while it is being changed all the time', async () => {
    const { id } = await create();
    let last = 0;
    others.onRelease = async ({ version }) => {
      if (version > last) await change(id, `040 ${version}`);
      last = version;
      return [];
    };
    expect(await remove(id)).toMatchObject({ status: 409, body: { reason: 'request_in_progress' } });
    expect(await published(id)).toEqual([1, 3, 5, 7]);
    expect((await read(id)).body).toMatchObject({ phone: '040 6' });
  });
});

describe('a process dies while it deletes a customer', () => {
  const die = (id: string): Promise<number> =>
    billing.test.service.kit.database.tenant(tenant.id, (tx) => beginDeletion(tx, id));

  it('which stays, and comes back to who has released it', async () => {
    const customer = await create();
    await die(customer.id);
    expect((await read(customer.id)).body).toEqual(customer);
    await billing.test.peek('UPDATE due_work SET due_at = now(), poll_at = now() WHERE ref = $1', [customer.id]);
    await eventually(async () => (await pending(customer.id)).length === 0, 'it was looked after');
    expect(await published(customer.id)).toEqual([1, 3]);
    expect(await billing.noticeTypes(customer.id)).toEqual(['customer.created']);
  });

  it('and who asks again deletes it', async () => {
    const { id } = await create();
    await die(id);
    expect((await remove(id)).status).toBe(204);
    expect(await published(id)).toEqual([1, -2]);
    expect(await pending(id)).toEqual([]);
  });
});
