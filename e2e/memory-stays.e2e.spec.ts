import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { howMany, showProgress } from '@kontor/testing';
import type { Api } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { treeOf } from './support/processes.js';
import { System } from './support/system.js';

/** Of a load that keeps the machine half busy at most; only in `npm run test:long`, and where Linux says what a process has. */
const SECONDS = existsSync('/proc/self/smaps_rollup') ? howMany(0, 600) : 0;
const LANES = 2;
const PAUSE_MS = 100;
const GROWTH = 1.1;

/** Of all processes of a tree, what each has for itself: without the database's buffers, which fill up to their set size. */
function megabytes(root: number): number {
  let kilobytes = 0;
  for (const pid of treeOf(root)) {
    try {
      const [, anonymous] = /^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
      kilobytes += Number(anonymous ?? 0);
    } catch {
      // A session that has ended meanwhile.
    }
  }
  return kilobytes / 1024;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** What a tenant does all day: customers, invoices, usage, and reading them. */
async function work(api: Api): Promise<void> {
  const { id: customer } = await aCustomer(api);
  await sleep(PAUSE_MS);
  const positions = [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];
  const { id } = await api.ok('POST', '/invoices', { customer, positions });
  await sleep(PAUSE_MS);
  await api.ok('POST', `/invoices/${id}/finalize`, {});
  await sleep(PAUSE_MS);
  const events = Array.from({ length: 50 }, (_, n) => ({
    transactionId: `${id}-${n}`,
    eventName: 'call',
    customerId: customer,
    properties: { units: n },
  }));
  await api.ok('POST', '/api/usage-events', { events });
  for (const path of [
    `/customers/${customer}`,
    `/invoices/${id}`,
    '/invoices?limit=30',
    `/invoices?customer=${customer}`,
  ]) {
    await sleep(PAUSE_MS);
    await api.ok('GET', path);
  }
}

(SECONDS > 0 ? describe : describe.skip)('ten minutes of work', () => {
  let system: System;
  beforeAll(async () => void (system = await System.embedded({ RATE_LIMIT_SANDBOX: '1000000' })));
  afterAll(() => system.stop());

  it('take no more memory in their second half', async () => {
    const { api } = await system.sandbox();
    const end = performance.now() + SECONDS * 1000;
    const lane = async (): Promise<void> => {
      while (performance.now() < end) await work(api);
    };
    const seen: number[] = [];
    const watch = async (): Promise<void> => {
      for (; performance.now() < end; await sleep(1_000)) {
        seen.push(megabytes(system.connection.pid));
        const done = SECONDS - (end - performance.now()) / 1000;
        showProgress(`${Math.round(seen.at(-1)!)} MB after seconds`, Math.round(done), SECONDS);
      }
    };
    await Promise.all([watch(), ...Array.from({ length: LANES }, lane)]);
    const part = Math.floor(seen.length / 6);
    const [middle, last] = [median(seen.slice(3 * part, 4 * part)), median(seen.slice(-part))];
    expect(last / middle).toBeLessThan(GROWTH);
  });
});
