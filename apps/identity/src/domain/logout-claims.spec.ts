import { expect, it } from '@jest/globals';
import { logoutOf } from './logout-claims.js';

const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const claims = { sub: 'ada', iat: 1_770_000_000, events };

it('somebody has signed out', () => {
  const at = new Date(1_770_000_000_000);
  expect(logoutOf(claims)).toEqual({ subject: 'ada', sessionId: null, at, id: null });
  expect(logoutOf({ ...claims, sid: 's', jti: 'j' })).toEqual({ subject: 'ada', sessionId: 's', at, id: 'j' });
  expect(logoutOf({ ...claims, sub: undefined, sid: 's' })).toEqual({ subject: null, sessionId: 's', at, id: null });
});

it.each<[string, Record<string, unknown>]>([
  ['an ID token', { events: undefined }],
  ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
  ['an event that is no object', { events: { ...events, [Object.keys(events)[0]!]: true } }],
  ['a list of events', { events: [events] }],
  ['a nonce', { nonce: 'x' }],
  ['no time', { iat: undefined }],
  ['nobody', { sub: '' }],
  ['neither somebody nor a session', { sub: undefined }],
  ['somebody who cannot be read, of a session', { sub: 7, sid: 's' }],
  ['an empty session', { sid: '' }],
  ['a session that is no text', { sid: ['s'] }],
  ['a session of a long name', { sid: 's'.repeat(256) }],
])('no logout token: %s', (_what, changed) => {
  expect(logoutOf({ ...claims, ...changed })).toBeNull();
});
