import { notFound } from '@kontor/kernel';

/** Names of this machine; any other may have been made to lead here by whoever owns it (DNS rebinding). */
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);
/** What a browser is asked for: the start-up key as the password, under any name. */
export const ASK_FOR_KEY = 'Basic realm="Kontor: any name, the start-up key as password", charset="UTF-8"';

/** Pages for who sits at this machine, opened in a browser. */
export const isLocalPage = (path: string): boolean => path.startsWith('/dev/');

/** @throws DomainError 404 `not_found` where the browser was led here by another name. */
export function mustNameThisMachine(host: string | undefined): void {
  const url = `http://${host ?? ''}`;
  if (!host || !URL.canParse(url) || !THIS_MACHINE.has(new URL(url).hostname)) throw notFound('The page');
}

/** A browser sends a key as a password: the same as a bearer token, on these pages only. */
export function bearerOf(authorization: string | undefined): string | undefined {
  const basic = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) return authorization;
  const text = Buffer.from(basic, 'base64').toString('latin1');
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`;
}
