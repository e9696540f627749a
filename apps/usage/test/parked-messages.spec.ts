import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { checkInvariants, EraseTenant, type InternalClient, ServiceConfig } from '@kontor/service-kit';
import { testService, type TestService } from '@kontor/testing';
import { customerData } from '../src/customer-data.js';
import { usageService } from '../src/index.js';
import { StoreMessages } from '../src/kafka-ingestion/store-messages.js';
import { tenantData } from '../src/tenant-data.js';

describe('messages of the intake', () => {
  const [tenant, other] = [newUuid(), newUuid()];
  let usage: TestService;
  beforeAll(async () => {
    usage = await testService(usageService, { now: new Date() });
  });
  afterAll(() => usage.stop());
  const parked = (): Promise<{ tenant: string | null }[]> =>
    usage.peek('SELECT tenant FROM usage_intake_parked ORDER BY "offset"');
  const read = (offset: number, tenantId: string | null): Promise<void> =>
    usage.service.get(StoreMessages).execute(
      {
        topic: 'in',
        partition: 0,
        messages: [
          {
            offset: String(offset),
            value: Buffer.from('?'),
            headers: tenantId === null ? {} : { 'tenant-id': tenantId },
          },
        ],
        known: BigInt(offset),
        next: BigInt(offset + 1),
      },
      '*',
      async () => true,
    );

  it('that were refused go with their tenant', async () => {
    await read(0, tenant);
    await read(1, other);
    expect(await parked()).toEqual([{ tenant }, { tenant: other }]);
    const { service } = usage;
    // All other services have applied what this one published: nothing.
    const client = { call: () => Promise.resolve({ applied: {} }) } as unknown as InternalClient;
    const erasure = new EraseTenant(tenantData, customerData, service.kit.database, client, service.get(ServiceConfig));
    expect(await erasure.erase(tenant, true)).toMatchObject({ done: true });
    expect(await parked()).toEqual([{ tenant: other }]);
  });

  it('that name no tenant, or one that is not there, are counted among what is broken', async () => {
    const found: string[] = [];
    const count = () =>
      checkInvariants(usage.service.kit.database, usageService.invariants, [], {
        onViolations: ({ examples }) => found.push(...examples),
      });
    const before = await count();
    await read(2, null);
    expect(await count()).toBe(before + 1);
    expect(found).toContain('in/0, offset 2: tenant_missing');
    await usage.peek('DELETE FROM usage_intake_parked WHERE tenant IS NULL RETURNING tenant');
  });

  it('wait while the disk is full', async () => {
    const { storage } = usage.service.kit.database;
    storage.notice(Object.assign(new Error('full'), { code: '53100' }));
    await expect(read(3, other)).rejects.toMatchObject({ kind: 'storage_full' });
    expect(await parked()).toHaveLength(1);
  });
});
