import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { TenantGate } from './tenant-gate.js';

it('lets tenants through in turn, however many of one wait', async () => {
  const gate = new TenantGate(1);
  const passed: string[] = [];
  const pass = (tenantId: string, name: string): Promise<void> =>
    gate.pass(tenantId, async () => {
      await nextTick();
      passed.push(name);
    });
  await Promise.all([...Array.from({ length: 50 }, (_, n) => pass('a', `a${n}`)), pass('b', 'b'), pass('c', 'c')]);
  expect(passed.slice(0, 5)).toEqual(['a0', 'a1', 'b', 'c', 'a2']);
  expect(passed).toHaveLength(52);
});

it('goes on after work that failed', async () => {
  const gate = new TenantGate(1);
  const failed = gate.pass('a', () => Promise.reject(new Error('the disk is full')));
  const next = gate.pass('a', () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('the disk is full');
  expect(await next).toBe('done');
});
