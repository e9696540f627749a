import { validationFailed } from '@kontor/kernel';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Where a payer may be sent: https without credentials in it; http only to the payer's machine and only for a sandbox.
 * @throws DomainError `validation_failed`.
 */
export function checkRedirectUrl(text: string, mode: 'live' | 'sandbox'): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const allowed =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && mode === 'sandbox' && LOOPBACK.test(url.hostname)));
  if (!allowed) {
    throw validationFailed(
      'redirectUrl',
      'The URL must be https (in a sandbox also http on the own machine), without a password.',
      'invalid_url',
    );
  }
  return url.toString();
}
