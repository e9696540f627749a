/** The path of a request, and what follows the first question mark: further ones are part of it. @see RFC 3986, 3.4 */
export function urlParts(url: string): { readonly path: string; readonly query: string } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
}
