import { escapeHtml } from './escape-html.js';
import type { PageLanguage } from './page-language.js';

/** The seller's own pages that the law wants to be linked; null where there is none. */
export interface LegalLinks {
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
  readonly withdrawalUrl: string | null;
  readonly imprintUrl: string | null;
  /** Ours, on which contracts are cancelled. */
  readonly cancellationPath: string | null;
}

/** Where contracts are cancelled, followed by the tenant's id. */
export const CANCELLATION_PATH = '/public/cancellation';

/** The links of a seller, by its settings for the checkout. */
export const legalLinksOf = (
  tenantId: string,
  checkout: Partial<Omit<LegalLinks, 'cancellationPath'>> | undefined,
): LegalLinks => ({
  termsUrl: checkout?.termsUrl ?? null,
  privacyUrl: checkout?.privacyUrl ?? null,
  withdrawalUrl: checkout?.withdrawalUrl ?? null,
  imprintUrl: checkout?.imprintUrl ?? null,
  cancellationPath: `${CANCELLATION_PATH}/${tenantId}`,
});

const WORDS = {
  de: {
    imprintUrl: 'Impressum',
    termsUrl: 'AGB',
    privacyUrl: 'Datenschutz',
    withdrawalUrl: 'Widerrufsbelehrung',
    cancellationPath: 'Verträge hier kündigen',
  },
  en: {
    imprintUrl: 'Legal notice',
    termsUrl: 'Terms',
    privacyUrl: 'Privacy',
    withdrawalUrl: 'Right of withdrawal',
    cancellationPath: 'Cancel contracts here',
  },
} as const;

const ORDER = ['imprintUrl', 'termsUrl', 'privacyUrl', 'withdrawalUrl', 'cancellationPath'] as const;

/** What is linked below each page of a seller, as HTML; empty: nothing. @see § 312k (2) BGB: the button is there at any time */
export function legalFooter(legal: LegalLinks | null, language: PageLanguage): string {
  const links = ORDER.flatMap((key) => {
    const href = legal?.[key] ?? null;
    return href === null ? [] : [`<a href="${escapeHtml(href)}">${WORDS[language][key]}</a> `];
  });
  return links.length === 0 ? '' : `<footer>${links.join('')}</footer>`;
}
