import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../config/env-reader.js';
import { refuseHost, startAdvice } from './explain-start.js';

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('why something does not start', () => {
  it.each([
    ['a setting', new ConfigurationError('PORT must be a whole number.'), /^PORT must be/],
    [
      'a database that is away',
      coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'),
      /127\.0\.0\.1:5432.*address/,
    ],
    ['a wrong password', coded('28P01'), /password.*DATABASE_ADMIN_URL/],
    ['a full disk', coded('ENOSPC'), /disk is full/],
    ["a full disk of PostgreSQL's", coded('53100'), /disk is full/],
    ['a folder that is a file', coded('ENOTDIR'), /DATA_DIR/],
    ['a database without a connection left', coded('53300'), /max_connections/],
    ['a database user without rights', coded('42501'), /DATABASE_ADMIN_URL.*deploy\/README/],
    [
      'a database that is closed to us',
      coded('08004', 'not currently accepting'),
      /not currently accepting.*deploy\/README/,
    ],
    ['a database without the roles', coded('42704'), /DATABASE_OWNER_URL.*deploy\/README/],
    ['a database without TLS', new Error('The server does not support SSL connections'), /sslmode/],
    ['a certificate of nobody', coded('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), /certificate/],
    ['a database that ends meanwhile', new Error('Connection terminated unexpectedly'), /ended.*disk is full/],
    [
      'one that is stopped in the middle of a step',
      coded('57P01', 'migration 0001 failed: terminating'),
      /start again/,
    ],
    [
      'one that ends in the middle of a step',
      new Error('migration 0001 failed: Connection terminated unexpectedly'),
      /ended/,
    ],
    ['a database that does not answer', new Error('timeout expired'), /did not answer/],
    ['a port in use', coded('EADDRINUSE'), /PORT/],
  ])('%s: one line that says what to do', (_what, error, line) => {
    expect(startAdvice(error)).toMatch(line);
    expect(startAdvice(error)).not.toContain('\n');
  });

  it('a fault of ours is not explained away', () =>
    expect(startAdvice(new TypeError('x is undefined'))).toBeUndefined());

  it('an address that is not of this machine is the one to listen at, not one to ask', () => {
    expect(() => refuseHost('nowhere')(coded('ENOTFOUND'))).toThrow(/^HOST must be an address/);
    expect(() => refuseHost('0.0.0.0')(coded('EADDRINUSE', 'taken'))).toThrow('taken');
  });
});
