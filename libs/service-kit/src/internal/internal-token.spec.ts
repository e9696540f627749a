import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@kontor/contracts';
import { InternalTokens } from './internal-token.js';

const principal: Principal = {
  tenantId: 't',
  kind: 'api_key',
  subjectId: 'k',
  permissions: ['*'],
  scopes: [],
  mode: 'sandbox',
};

describe('an internal token', () => {
  it('names the caller, again and again, and nobody changes whom it names', () => {
    const [gateway, service] = [new InternalTokens('secret'), new InternalTokens('secret')];
    const token = gateway.sign(principal);
    for (let n = 0; n < 3; n++) expect(service.verify(token)).toEqual(principal);
    expect(() => Object.assign(service.verify(token), { tenantId: 'other' })).toThrow(TypeError);
    expect(service.verify(token)).toEqual(principal);
  });

  it('of another secret, or changed, is refused, also after the right one was seen', () => {
    const service = new InternalTokens('secret');
    const token = service.sign(principal);
    service.verify(token);
    const [header, payload, signature] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ p: { ...principal, tenantId: 'other' }, iat: 0, exp: 1e12 }));
    for (const wrong of [
      new InternalTokens('another').sign(principal),
      `${header}.${forged.toString('base64url')}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      '',
    ])
      expect(() => service.verify(wrong)).toThrow();
  });
});
