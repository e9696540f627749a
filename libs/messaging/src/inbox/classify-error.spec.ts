import { describe, expect, it } from '@jest/globals';
import { DomainError, InvariantError } from '@kontor/kernel';
import { isTransient } from './classify-error.js';

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('poison or transient', () => {
  it.each([
    ['connection refused', coded('ECONNREFUSED')],
    ['a name that is not found now', coded('EAI_AGAIN')],
    ['a database of an expired certificate', coded('CERT_HAS_EXPIRED')],
    ['no more open files', coded('EMFILE')],
    ['server stopping', coded('57P01')],
    ['too many connections', coded('53300')],
    ['a password that was changed', coded('28P01')],
    ['a database that is being renamed', coded('3D000')],
    ['serialization failure', coded('40001')],
    ['deadlock', coded('40P01')],
    ['a transaction that lasted longer than the server lets it', coded('25P04')],
    ['a pool that gives nothing', new Error('timeout exceeded when trying to connect')],
    ['a cut connection', new Error('Connection terminated unexpectedly')],
    ['a service away', new DomainError('payments_unavailable', { kind: 'unavailable' })],
    ['undici', new TypeError('fetch failed', { cause: coded('UND_ERR_SOCKET') })],
    ['wrapped by TypeORM', Object.assign(new Error('query failed'), { driverError: coded('57P03') })],
    ['a time-out', Object.assign(new Error('late'), { name: 'TimeoutError' })],
  ])('%s is transient', (_name, error) => expect(isTransient(error)).toBe(true));

  it.each([
    ['a refusal', new DomainError('invoice_not_draft')],
    ['an invariant', new InvariantError('debits equal credits')],
    ['a bug', new TypeError("Cannot read properties of undefined (reading 'id')")],
    ['a unique key', coded('23505')],
    ['a missing column', coded('42703')],
    ['no error at all', 'text'],
  ])('%s is poison', (_name, error) => expect(isTransient(error)).toBe(false));
});
