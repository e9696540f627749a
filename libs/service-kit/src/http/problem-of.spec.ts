import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@kontor/kernel';
import { problemOf } from './problem-of.js';

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('what is answered to an error', () => {
  it.each([
    ['a refusal', new DomainError('cart_expired', { kind: 'gone' }), 410, 'cart_expired', undefined],
    ['a value that PostgreSQL cannot read', coded('22P02'), 400, 'invalid_request', undefined],
    ['a time beyond the year 9999', coded('22009'), 400, 'invalid_request', undefined],
    ['a database that starts', coded('57P03'), 503, 'service_unavailable', '1'],
    ...['57P01', '57P02', '08000', '08003', '08006', '28P01', '53300', 'ECONNRESET', 'EPIPE'].map(
      (code) => [`a database that went away: ${code}`, coded(code), 503, 'service_unavailable', '1'] as const,
    ),
    ['a database that only reads', coded('25006'), 503, 'service_unavailable', '1'],
    ['a transaction that stood still for too long', coded('25P03'), 503, 'service_unavailable', '1'],
    ['a transaction that lasted longer than the server lets it', coded('25P04'), 503, 'service_unavailable', '1'],
    ['a lock that was not to be had', coded('55P03'), 503, 'service_unavailable', '1'],
    ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'].map(
      (code) => [`a database that is not there: ${code}`, coded(code), 503, 'service_unavailable', '1'] as const,
    ),
    ['a connection that ended', new Error('Connection terminated unexpectedly'), 503, 'service_unavailable', '1'],
    [
      'a connection that broke earlier',
      new Error('Client has encountered a connection error and is not queryable'),
      503,
      'service_unavailable',
      '1',
    ],
    ['an answer that never came', new Error('Query read timeout'), 503, 'service_unavailable', '1'],
    ['a statement that took too long', coded('57014'), 503, 'service_unavailable', '1'],
    ["a full disk of the database's", coded('53100'), 507, 'storage_full', '30'],
    ['a full disk of this process', coded('ENOSPC'), 507, 'storage_full', '30'],
    ...['EROFS', 'EACCES', 'EIO', 'EMFILE'].map(
      (code) => [`files that cannot be reached: ${code}`, coded(code), 503, 'service_unavailable', '1'] as const,
    ),
    ['a fault', new Error('secret internals'), 500, 'internal_error', undefined],
  ])('%s', (_what, error, status, reason, retryAfter) => {
    const answer = problemOf(error, 'request');
    expect(answer.body).toMatchObject({ status, reason, instance: 'request' });
    expect(answer.headers['retry-after']).toBe(retryAfter);
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  it('repeats of what somebody has sent no more than helps', () => {
    const text = 'x'.repeat(1_000_000);
    const violations = Array.from({ length: 101 }, () => ({
      propertyPath: text,
      message: text,
      code: 'unknown_field',
    }));
    const { body } = problemOf(new DomainError('invalid_request', { detail: text, violations }), 'r');
    expect([body.violations?.length, JSON.stringify(body).length < 500_000]).toEqual([100, true]);
    expect(body.violations?.[0]?.propertyPath).toMatch(/^x{2000}…$/);
  });
});
