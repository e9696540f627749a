import { describe, expect, it } from '@jest/globals';
import { saysOutage } from './outage-codes.js';

describe('codes of errors', () => {
  it.each([
    ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
    ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'],
    ...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ...['EMFILE', 'EROFS', 'ERR_WORKER_INIT_FAILED', 'ENOMEM'],
    ...['08004', '08006', '28P01', '3D000', '40001', '40P01', '53300', '57014', '57P03', '58030', '25006', '55P03'],
  ])('%s: later it will succeed', (code) => expect(saysOutage(code)).toBe(true));

  it.each(['', '23505', '42703', '22003', '25001', '400', 'ERR_INVALID_ARG_TYPE', 'ENOENT'])(
    '%s: it will not',
    (code) => expect(saysOutage(code)).toBe(false),
  );
});
