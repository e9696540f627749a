import { validationFailed } from '@kontor/kernel';
import { type LinkPage, PLAIN_PAGE } from '../domain/carts/cart.js';
import type { CheckoutLinkDto } from './link.dto.js';

/** How the pages look and where they lead, as a body says. @throws DomainError `validation_failed` */
export function readPage(body: CheckoutLinkDto): LinkPage {
  const customFields = (body.customFields ?? []).map(({ key, label, required }) => ({
    key,
    label: label ?? key,
    required: required ?? false,
  }));
  const twice = customFields.findIndex(({ key }, n) => customFields.findIndex((other) => other.key === key) < n);
  if (twice >= 0) throw validationFailed(`customFields.${twice}.key`, 'The key is there already.', 'already_exists');
  return {
    languages: body.languages ?? PLAIN_PAGE.languages,
    customFields,
    termsUrl: body.termsUrl ?? null,
    privacyUrl: body.privacyUrl ?? null,
    redirectOrigins: originsOf('redirectOrigins', body.redirectOrigins),
    embedOrigins: originsOf('embedOrigins', body.embedOrigins),
    sendReminder: body.sendReminder ?? false,
  };
}

export const representPage = (page: LinkPage) => ({
  ...page,
  languages: [...page.languages],
  customFields: page.customFields.map((field) => ({ ...field })),
  redirectOrigins: [...page.redirectOrigins],
  embedOrigins: [...page.embedOrigins],
});

/** Scheme, host and port, and nothing that a header could not carry. */
function originsOf(field: string, given: readonly string[] | null | undefined): string[] {
  return (given ?? []).map((text, n) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url !== null && url.origin !== 'null' && text.replace(/\/$/, '') === url.origin) return url.origin;
    throw validationFailed(`${field}.${n}`, 'An origin has a scheme and a host: https://shop.example.', 'invalid_url');
  });
}
