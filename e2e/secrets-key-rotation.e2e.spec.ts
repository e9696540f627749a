import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { Receiver, signatureIsValid } from './support/receiver.js';
import { System } from './support/system.js';

describe('changing the key that encrypts secrets', () => {
  let system: System;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.listen();
    system = await System.embedded({});
  });
  afterAll(async () => {
    await system.stop();
    receiver.close();
  });

  const IBAN = 'DE89370400440532013000';

  it('loses nothing, and afterwards the old one is not needed', async () => {
    const file = join(system.dataDir, 'secrets.key');
    const old = readFileSync(file, 'utf8').trim();
    const { id, secret } = await system.api.ok('POST', '/webhooks', { url: receiver.url, events: ['webhook.test'] });
    const customer = await system.api.ok('POST', '/customers', { email: 'a@key.example', companyName: 'Key GmbH' });
    await system.api.ok('POST', '/payment-methods', {
      gateway: 'sepa_debit',
      customerId: customer.id,
      sepaMandate: { iban: IBAN },
    });

    const delivered = async (): Promise<void> => {
      const before = receiver.deliveries.length;
      await system.api.ok('POST', `/webhooks/${id}/test`);
      const delivery = await eventually(() => receiver.deliveries[before], 'a delivery');
      expect(signatureIsValid(delivery, secret)).toBe(true);
    };
    await delivered();
    const signingKeys = async (): Promise<string[]> =>
      (await system.api.ok('GET', '/.well-known/jwks.json')).keys.map(({ kid }: { kid: string }) => kid);
    const keys = await signingKeys();
    expect(keys.length).toBeGreaterThan(0);

    expect(await system.end()).toBe(0);
    writeFileSync(file, randomBytes(32).toString('hex'));
    await expect(system.start()).rejects.toThrow(/is not the one that this database was made with/);

    system.env['SECRETS_KEY_PREVIOUS'] = old;
    await system.start();
    await delivered();
    const log = (): string => readFileSync(join(system.dataDir, 'kontor.log'), 'utf8');
    for (const service of ['webhooks', 'payments', 'identity'])
      await eventually(
        () => new RegExp(`"service":"${service}".*all stored secrets are under the present`).test(log()),
        `the secrets of ${service} are under the new key`,
      );
    expect(await system.end()).toBe(0);

    delete system.env['SECRETS_KEY_PREVIOUS'];
    await system.start();
    await delivered();
    expect(await signingKeys()).toEqual(keys);
    await system.api.ok('GET', '/customers');
  });
});
