import { describe, expect, it } from '@jest/globals';
import { meantScope, shownScope } from './oauth-scopes.js';

describe('the scope of the identity', () => {
  it.each([
    ['kontor', 'openid kontor', 'kontor'],
    ['openid', 'openid', 'openid'],
    ['offline kontor', 'openid offline kontor', 'offline kontor'],
    ['openid kontor', 'openid kontor', 'kontor'],
    ['entitlements.read', 'entitlements.read', 'entitlements.read'],
    ['', '', ''],
  ])('asked for %j it means %j and is shown as %j', (asked, meant, shown) => {
    expect(meantScope(asked)).toBe(meant);
    expect(shownScope(meantScope(asked))).toBe(shown);
  });
});
