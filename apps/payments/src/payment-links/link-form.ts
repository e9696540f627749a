import { storableText } from '@kontor/kernel';
import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import type { GatewayName } from '../domain/payment-methods/payment-method.js';
import { readIban } from '../domain/payment-methods/sepa-mandate.js';
import type { LinkForm } from './add-by-link.js';
import type { OpenedLink } from './open-link.js';
import type { LinkProblem, RefusedForm } from './pages.js';
import { LINK_TEXTS, type LinkLanguage } from './texts.js';

interface Circumstances {
  readonly language: LinkLanguage;
  readonly reference: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** Checks what was sent; what was not offered on the page is not accepted either. */
export function readLinkForm(
  sent: URLSearchParams,
  opened: OpenedLink,
  circumstances: Circumstances,
): LinkForm | RefusedForm {
  const gateway = opened.offered.find((name) => name === sent.get('gateway'));
  const accountHolder = storableText(clean(sent.get('accountHolder')), 70).trim();
  const typed = clean(sent.get('iban')).slice(0, 42);
  if (!gateway)
    return {
      gateway: opened.offered[0] ?? ('sepa_debit' as GatewayName),
      accountHolder,
      iban: typed,
      problems: ['provider'],
    };
  if (gateway !== 'sepa_debit') return { gateway, mandate: null };
  const iban = readIban(typed);
  const problems: LinkProblem[] = [];
  if (accountHolder === '') problems.push('holder');
  if (!iban) problems.push(isValidIBAN(electronicFormatIBAN(typed) ?? '') ? 'ibanArea' : 'iban');
  if (sent.get('consent') !== 'yes') problems.push('consent');
  if (problems.length > 0 || !iban) return { gateway, accountHolder, iban: typed, problems };
  const { language, reference, ip, userAgent } = circumstances;
  const t = LINK_TEXTS[language];
  const consent = {
    at: new Date().toISOString(),
    ip: ip?.slice(0, 64) ?? null,
    userAgent: userAgent?.slice(0, 300) ?? null,
    language,
    text: [...t.mandateText(opened.seller.name, opened.noticeDays), t.consent].join('\n'),
  };
  return { gateway, mandate: { iban, accountHolder, reference, consent } };
}

/** One line that can be stored, whatever a browser sends. */
const clean = (text: string | null): string => (text ?? '').replace(/[\p{Cc}\p{Cs}\p{Cf}]/gu, '').trim();
