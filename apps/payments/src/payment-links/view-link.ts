import { uuidToUlid } from '@kontor/kernel';
import { customerName } from '../payment-methods/new-method.js';
import type { MethodLink } from '../db/method-link.row.js';
import type { OpenedLink } from './open-link.js';
import type { LinkPage } from './pages.js';
import type { LinkLanguage } from './texts.js';

/** The mandate that the link leads to has its reference before it is given: the payer reads it on the page. */
export const mandateReferenceOf = (link: Pick<MethodLink, 'id'>): string => `M-${uuidToUlid(link.id)}`;

/** The link as its page shows it. */
export function pageOf(opened: OpenedLink, { path, language }: { path: string; language: LinkLanguage }): LinkPage {
  const { customer, seller, link } = opened;
  const day = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    dateStyle: 'long',
    timeZone: opened.timeZone,
  });
  const name = customerName(customer) ?? '';
  const address =
    customer.addresses.find((address) => address.default && address.type === 'TYPE_DEFAULT') ?? customer.addresses[0];
  const words = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' ');
  const payerLines = [
    name,
    words(address?.street, address?.houseNumber),
    words(address?.zip, address?.city),
    countryName(address?.countryCode, language),
  ];
  return {
    language,
    path,
    seller: seller.name,
    look: opened.look,
    legal: opened.legal,
    sandbox: opened.sandbox,
    offered: opened.offered,
    expiresOn: day.format(link.expiresAt),
    accountHolder: name,
    mandate: {
      creditorLines: [seller.name, ...seller.addressLines, countryName(seller.countryCode, language)].filter(
        (line) => line !== '',
      ),
      creditorIdentifier: seller.creditorIdentifier ?? '',
      reference: mandateReferenceOf(link),
      payerLines: payerLines.filter((line) => line !== ''),
      noticeDays: opened.noticeDays,
    },
  };
}

const countryName = (code: string | null | undefined, language: LinkLanguage): string =>
  code && /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code) : '';
