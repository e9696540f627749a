import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { System } from './support/system.js';

const run = promisify(execFile);
const [generator, compiler] = ['@hey-api/openapi-ts/bin/run.js', 'typescript7/bin/tsc'].map((path) =>
  join(process.cwd(), 'node_modules', path),
);

const OPTIONS = {
  strict: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
  rootDir: '.',
  outDir: 'out',
};

/** What a user of the client writes: nothing but its functions and types. */
const WALK = `
import { createClient } from './client/client/index.js';
import * as api from './client/sdk.gen.js';

export async function walk(baseUrl: string, apiKey: string) {
  const client = createClient({ baseUrl, auth: apiKey });
  const options = { client, throwOnError: true } as const;
  const { data: customer } = await api.createCustomer({
    ...options,
    body: {
      email: 'rechnung@backhaus-elbe.example',
      companyName: 'Backhaus Elbe GmbH',
      street: 'Elbchaussee',
      houseNumber: '12',
      zip: '22765',
      city: 'Hamburg',
      countryCode: 'DE',
    },
  });
  const { data: product } = await api.createProduct({ ...options, body: { name: 'Team', type: 'product' } });
  const { data: price } = await api.createPricePlan({
    ...options,
    body: {
      product: product.id,
      type: 'flat_fee',
      currencyCode: 'EUR',
      billingInterval: '1M',
      price: { amount: 3000 },
    },
  });
  const { data: plan } = await api.createPlan({
    ...options,
    body: { code: 'team', name: 'Team', status: 'active', items: [{ pricePlan: price.id }] },
  });
  const { data: draft } = await api.createSubscription({
    ...options,
    body: { customer: customer.id, plan: plan.id },
  });
  const { data: subscription } = await api.activateSubscription({
    ...options,
    path: { id: draft.id },
    body: { billImmediately: true },
  });
  for (let tries = 0; tries < 3000; tries++) {
    const { data: page } = await api.listInvoices({ ...options, query: { subscription: subscription.id } });
    const [invoice] = page.data;
    if (invoice?.status === 'STATUS_UNPAID')
      return { status: subscription.status, gross: invoice.grossAmount, number: invoice.number };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The invoice has not come.');
}

/** A refusal is data of its type. */
export async function refused(baseUrl: string, apiKey: string) {
  const client = createClient({ baseUrl, auth: apiKey });
  const { error } = await api.getInvoice({ client, path: { id: '0190a000-0000-7000-8000-000000000001' } });
  return error?.reason;
}
`;

/** What the types do not allow. */
const WRONG = `
import * as api from './client/sdk.gen.js';
void api.createPricePlan({ body: { product: 'p', type: 'flat', currencyCode: 'EUR' } });
void api.getInvoice({});
`;

describe('a client that was generated from the OpenAPI document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-client-'));
  let system: System;
  beforeAll(async () => {
    system = await System.shared();
    const document = await (await fetch(`${system.connection.baseUrl}/openapi.json`)).text();
    writeFileSync(join(folder, 'openapi.json'), document);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const config = { input: 'openapi.json', output: { path: 'client', importFileExtension: '.js' } };
    writeFileSync(join(folder, 'openapi-ts.config.mjs'), `export default ${JSON.stringify(config)}`);
    await run(process.execPath, [generator!], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const compile = (name: string, source: string): Promise<unknown> => {
    const project = join(folder, `${name}.json`);
    writeFileSync(join(folder, `${name}.ts`), source);
    writeFileSync(project, JSON.stringify({ compilerOptions: OPTIONS, files: [`${name}.ts`] }));
    return run(process.execPath, [compiler!, '-p', project]);
  };

  it('compiles, and goes from a customer to an invoice', async () => {
    await compile('walk', WALK);
    const { walk, refused } = await import(pathToFileURL(join(folder, 'out', 'walk.js')).href);
    const { api } = await system.sandbox();
    expect(await walk(api.baseUrl, api.token)).toEqual({
      status: 'active',
      gross: { amount: 3570, currencyCode: 'EUR' },
      number: expect.any(String),
    });
    expect(await refused(api.baseUrl, api.token)).toBe('not_found');
  });

  it('refuses what the document does not allow', async () => {
    const refusal = compile('wrong', WRONG);
    await expect(refusal).rejects.toMatchObject({ stdout: expect.stringMatching(/wrong\.ts[^]*TS2322[^]*wrong\.ts/) });
  });
});
