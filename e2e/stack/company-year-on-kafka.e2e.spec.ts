import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { howMany } from '@kontor/testing';
import { PatientClient } from '../faults/patient-client.js';
import { eventually, type Json } from '../support/api.js';
import { bytesOf, type Call, CompanyYear } from '../support/company-year.js';
import { invariants } from '../support/invariants.js';
import { killService, pidsOf } from '../support/processes.js';
import { describeOnKafka } from '../support/requirements.js';
import { ServiceDatabase } from '../support/service-database.js';
import { System } from '../support/system.js';

const MONTHS = howMany(3, 12);

describeOnKafka("a company's year on Kafka, while services are killed", () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-year-'));
  let system: System;
  let invoicing: ServiceDatabase;
  let payments: ServiceDatabase;
  const killed: string[] = [];

  beforeAll(async () => {
    system = await System.sharedStack();
    invoicing = await ServiceDatabase.of('invoicing', system);
    payments = await ServiceDatabase.of('payments', system);
  });
  afterAll(async () => {
    await invoicing?.end();
    await payments?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  async function kill(service: string): Promise<void> {
    const pids = pidsOf(service, system.dataDir);
    killService(service, system.dataDir);
    await eventually(`${service} is gone`, async () => {
      const left = pidsOf(service, system.dataDir);
      return pids.every((pid) => !left.includes(pid));
    });
    killed.push(service);
  }

  /** Asks, and meanwhile kills the service at a place that `at` reaches. */
  async function killing(
    service: string,
    ask: () => Promise<Json>,
    at: (work: () => void, then: () => Promise<void>) => Promise<void>,
  ): Promise<Json> {
    let answer: Promise<Json> | undefined;
    await at(
      () => void (answer = ask()),
      () => kill(service),
    );
    return answer;
  }

  it('ends with the same papers and books, whatever was killed between a document, its file and its bookings', async () => {
    const { api } = await system.sandbox({ now: '2025-12-31T11:00:00.000Z' });
    const client = new PatientClient(api);
    const plain: Call = (method, path, body) => client.ok(method as 'GET' | 'POST', path, body);
    const call: Call = (method, path, body) => {
      const ask = (): Promise<Json> => plain(method, path, body);
      // Numbered, without a file yet.
      if (path.endsWith('/finalize') && !killed.includes('invoicing'))
        return killing('invoicing', ask, (work, then) => invoicing.reachedChange('media', work, then));
      // Cancelled, and not in the ledger yet.
      if (path.endsWith('/cancel'))
        return killing('payments', ask, (work, then) => payments.reached('ledger_transfer', work, then));
      return ask();
    };
    const advance = async (to: string): Promise<void> => {
      await plain('POST', '/sandbox/clock/advance', { to });
      const clock = await client.until('the clock is there', '/sandbox/clock', (now) => now.status === 'ready' && now);
      expect(clock).toMatchObject({ problems: [] });
    };
    const get = (path: string): Promise<Buffer> => bytesOf(api.baseUrl, api.token, path);

    const year = await CompanyYear.play({ call, get, advance }, MONTHS, folder);
    expect(killed).toEqual(['invoicing', 'payments']);
    year.expectWhole();
    year.expectBooked();
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });
});
