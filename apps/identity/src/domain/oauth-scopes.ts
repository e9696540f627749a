/** The identity by the service's own name: a synonym of `openid`. */
export const OWN_SCOPE = 'kontor';

/** What an app can ask for. */
export const SCOPES = ['openid', OWN_SCOPE, 'offline', 'entitlements.read'] as const;
export type Scope = (typeof SCOPES)[number];

const words = (scope: string): string[] => scope.split(' ').filter((word) => word !== '');

/** What is meant by the scopes that an app asks for: its identity by the service's own name is `openid`. */
export function meantScope(asked: string): string {
  const meant = words(asked);
  return meant.includes(OWN_SCOPE) && !meant.includes('openid') ? ['openid', ...meant].join(' ') : asked;
}

/** What an app reads that it got: `openid` under the name by which it asked. */
export function shownScope(meant: string): string {
  const got = words(meant);
  return got.includes(OWN_SCOPE) ? got.filter((word) => word !== 'openid').join(' ') : meant;
}

/** What of the given scopes is among the allowed ones. */
export function commonScope(given: string, allowed: string): string {
  const all = words(allowed);
  return words(given)
    .filter((word) => all.includes(word))
    .join(' ');
}
