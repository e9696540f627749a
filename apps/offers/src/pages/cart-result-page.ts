import type { LegalLinks } from '@kontor/service-kit';
import { CART_TEXTS } from './cart-texts.js';
import { markup } from './html.js';
import { layout, type PageLanguage, type PageLook } from './layout.js';

/** `step`: the order is made, and its payer has something left to do. */
export type CartResult = 'done' | 'step' | 'declined' | 'busy' | 'expired' | 'unsold' | 'gone';

interface ResultPage {
  readonly language: PageLanguage;
  readonly seller: string;
  readonly look: PageLook;
  readonly legal: LegalLinks;
  readonly message: string | null;
  readonly goOn: string | null;
}

/** What has become of it. */
export function cartResultPage(
  result: CartResult,
  { language, seller, look, legal, message, goOn }: ResultPage,
): string {
  const t = CART_TEXTS[language];
  const words: Readonly<Record<CartResult, readonly [string, string]>> = {
    done: [t.doneTitle, t.doneText],
    step: [t.stepTitle, t.stepText],
    declined: [t.declinedTitle, t.declinedText],
    busy: [t.busyTitle, t.busyText],
    expired: [t.expiredTitle, t.expiredText],
    unsold: [t.unsoldTitle, t.unsoldText],
    gone: [t.goneTitle, t.goneText],
  };
  const labels: Partial<Record<CartResult, string>> = { step: t.stepButton, declined: t.declinedButton };
  const [title, content] = words[result];
  const body = markup`<section class="card result"><h1${result === 'done' && markup` class="good"`}>${title}</h1><p>${message ?? content}</p>${
    goOn !== null && markup`<a class="button" href="${goOn}">${labels[result] ?? t.goOn}</a>`
  }</section>`;
  return layout({ language, title, seller, path: null, narrow: true, look, legal }, body);
}
