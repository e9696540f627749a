import { type Html, markup } from './html.js';
import type { PageLanguage } from './layout.js';

/** The seller's own pages that the law wants to be linked; null where there is none. */
export interface LegalLinks {
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
  readonly withdrawalUrl: string | null;
  readonly imprintUrl: string | null;
  /** Ours, on which contracts are cancelled. */
  readonly cancellationPath: string | null;
}

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

/** What is linked below each page; null: nothing. @see § 312k (2) BGB: the button is there at any time */
export function legalFooter(legal: LegalLinks, language: PageLanguage): Html | null {
  const links = ORDER.flatMap((key) => {
    const href = legal[key];
    return href === null ? [] : [markup`<a href="${href}">${WORDS[language][key]}</a> `];
  });
  return links.length === 0 ? null : markup`${links}`;
}
