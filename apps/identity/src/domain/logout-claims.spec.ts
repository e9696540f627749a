import { expect, it } from '@jest/globals';
import { logoutOf } from './logout-claims.js';

const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const claims = { sub: 'ada', iat: 1_770_000_000, events };

it('somebody has signed out', () => {
  expect(logoutOf(claims)).toEqual({ subject: 'ada', at: new Date(1_770_000_000_000) });
});

it.each<[string, Record<string, unknown>]>([
  ['an ID token', { events: undefined }],
  ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
  ['an event that is no object', { events: { ...events, [Object.keys(events)[0]!]: true } }],
  ['a list of events', { events: [events] }],
  ['a nonce', { nonce: 'x' }],
  ['no time', { iat: undefined }],
  ['nobody', { sub: '' }],
  ['a session alone', { sub: undefined, sid: 'x' }],
])('no logout token: %s', (_what, changed) => {
  expect(logoutOf({ ...claims, ...changed })).toBeNull();
});
