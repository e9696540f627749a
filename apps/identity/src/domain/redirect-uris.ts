/** How an address begins, to the letter: what a URL makes of `https:app.example` depends on the page that leads there. */
export const APP_URI_START = '^(https://[^/]|http://(localhost|127\\.0\\.0\\.1)([:/?]|$))';

/**
 * Why an app cannot be reached by this address, or null: https, or http on this machine; no user, no fragment, nothing that browsers
 * and servers may read differently.
 */
export function refusalOfAppUri(text: string): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL';
  if (!new RegExp(APP_URI_START).test(text))
    return 'must begin with https://, or with http://localhost or http://127.0.0.1';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user';
  if (text.includes('#')) return 'must not contain a fragment';
  if (text.includes('*')) return 'must not contain a wildcard';
  if (/[\\\s\p{Cc}]|%(2e|2f|5c|00|0a|0d)/iu.test(text) || /\/\.{1,2}(\/|\?|$)/.test(text))
    return 'must not contain dots as parts of its path, backslashes or blanks, encoded ones included';
  return null;
}
