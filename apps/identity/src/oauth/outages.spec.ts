import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@kontor/kernel';
import { problemOf } from '@kontor/service-kit';
import { errors } from 'oidc-provider';
import { orOutage } from './outages.js';

const coded = (code: string): Error => Object.assign(new Error('it fails'), { code });
const outageOf = (cause: Error): Promise<Error & { error: string }> =>
  orOutage(Promise.reject(cause)).then(
    () => {
      throw new Error('it did not fail');
    },
    (error: Error & { error: string }) => error,
  );

describe('an outage', () => {
  it.each([
    ['a database that is away', coded('57P03'), 'temporarily_unavailable', 503],
    ['a lost connection', coded('ECONNRESET'), 'temporarily_unavailable', 503],
    ['a full disk', coded('53100'), 'temporarily_unavailable', 507],
    [
      'storage known to be full',
      new DomainError('storage_full', { kind: 'storage_full' }),
      'temporarily_unavailable',
      507,
    ],
    ['a fault of ours', coded('XX000'), 'server_error', 500],
  ])('of %s is said by the standard, and is what it was elsewhere', async (_what, cause, error, status) => {
    const outage = await outageOf(cause);
    expect(outage).toMatchObject({ error, cause });
    expect(problemOf(outage, '').body.status).toBe(status);
  });

  it('is none where the protocol refuses', async () => {
    const refused = new errors.InvalidGrant('used');
    expect(await outageOf(refused)).toBe(refused);
  });
});
