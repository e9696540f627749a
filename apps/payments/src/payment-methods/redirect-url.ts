import { validationFailed } from '@kontor/kernel';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Where a payer may be sent: https without credentials in it; http only to the payer's machine and only for a sandbox. */
export function mayRedirectTo(text: string, mode: 'live' | 'sandbox'): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && mode === 'sandbox' && LOOPBACK.test(url.hostname)))
  );
}

/** @throws DomainError `validation_failed`: a payer may not be sent there. */
export function checkRedirectUrl(text: string, mode: 'live' | 'sandbox'): string {
  if (!mayRedirectTo(text, mode)) {
    throw validationFailed(
      'redirectUrl',
      'The URL must be https (in a sandbox also http on the own machine), without a password.',
      'invalid_url',
    );
  }
  return new URL(text).toString();
}
