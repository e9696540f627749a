import type { GatewayName } from '../domain/payment-methods/payment-method.js';
import { escapeHtml as e, layout, type LegalLinks, type SellerLook } from '@kontor/service-kit';
import { LINK_TEXTS, type LinkLanguage, type LinkTexts } from './texts.js';

/** What the page needs to know to be shown; all of it plain text. */
export interface LinkPage {
  readonly language: LinkLanguage;
  readonly seller: string;
  readonly look: SellerLook;
  readonly legal: LegalLinks;
  readonly sandbox: boolean;
  readonly offered: readonly GatewayName[];
  readonly expiresOn: string;
  readonly mandate: {
    readonly creditorLines: readonly string[];
    readonly creditorIdentifier: string;
    readonly reference: string;
    readonly payerLines: readonly string[];
    readonly noticeDays: number;
  };
  readonly accountHolder: string;
  /** Path of the page, which is the address of its forms as well. */
  readonly path: string;
}

export type LinkProblem = keyof LinkTexts['errors'];

/** What was sent and why it was not accepted, so that nobody has to type it twice. */
export interface RefusedForm {
  readonly gateway: GatewayName;
  readonly accountHolder: string;
  readonly iban: string;
  readonly problems: readonly LinkProblem[];
}

/** The page on which a way to pay is added. Works without scripts. */
export function linkPage(page: LinkPage, refused: RefusedForm | null = null): string {
  const t = LINK_TEXTS[page.language];
  const { offered } = page;
  const chosen = refused?.gateway ?? offered[0];
  const ways = offered.map((gateway) =>
    way(page, gateway, { open: gateway === chosen, alone: offered.length === 1, refused }),
  );
  const body = [
    `<h1>${e(t.title)}</h1><p class="lead">${e(t.lead(page.seller))}</p>`,
    page.sandbox ? `<p class="note">${e(t.sandbox)}</p>` : '',
    refused
      ? `<p class="error" role="alert">${e(refused.problems.includes('provider') ? t.errors.provider : t.errorTitle)}</p>`
      : '',
    offered.length === 0 ? `<p class="error">${e(t.nothing)}</p>` : ways.join(''),
    `<footer>${e(t.validUntil(page.expiresOn))}</footer>`,
  ];
  return layout(frameOf(page, t.title), body.join('\n'));
}

const frameOf = (page: LinkPage, title: string) => {
  const other = page.language === 'de' ? 'en' : 'de';
  const { otherLanguage } = LINK_TEXTS[page.language];
  return {
    language: page.language,
    title,
    seller: page.seller,
    look: page.look,
    legal: page.legal,
    other: { href: `${page.path}?lang=${other}`, label: otherLanguage },
  };
};

interface Way {
  readonly open: boolean;
  /** The only one there is: nothing to choose. */
  readonly alone: boolean;
  readonly refused: RefusedForm | null;
}

function way(page: LinkPage, gateway: GatewayName, { open, alone, refused }: Way): string {
  const t = LINK_TEXTS[page.language];
  const { name, hint, button } = wordsOf(gateway, t);
  const inner = gateway === 'sepa_debit' ? sepaFields(page, refused?.gateway === 'sepa_debit' ? refused : null) : '';
  const form = `<div class="body"><p class="hint">${e(hint)}</p><form method="post" action="${e(page.path)}?lang=${page.language}" novalidate>
<input type="hidden" name="gateway" value="${gateway}">${inner}<button type="submit">${e(button)}</button></form></div>`;
  if (alone) return `<section class="way"><div class="head">${e(name)}</div>${form}</section>`;
  return `<details class="way" name="way"${open ? ' open' : ''}><summary>${e(name)}</summary>${form}</details>`;
}

function wordsOf(gateway: GatewayName, t: LinkTexts): { name: string; hint: string; button: string } {
  const words: Partial<Record<GatewayName, readonly [string, string, string]>> = {
    sepa_debit: [t.sepa, t.sepaHint, t.addSepa],
    card_provider: [t.card, t.cardHint, t.goOn],
    online_wallet_provider: [t.onlineWallet, t.onlineWalletHint, t.goOn],
    debit_provider: [t.debitProvider, t.debitProviderHint, t.goOn],
    bank_transfer: [t.transfer, t.transferHint, t.useTransfer],
    testing: [t.testing, t.testHint, t.addTest],
    fake_provider: [t.fake, t.testHint, t.addTest],
  };
  const [name, hint, button] = words[gateway] ?? [gateway, '', t.goOn];
  return { name, hint, button };
}

function sepaFields(page: LinkPage, refused: RefusedForm | null): string {
  const t = LINK_TEXTS[page.language];
  const { mandate } = page;
  const wrong = (...problems: LinkProblem[]): string | null => {
    const found = problems.find((problem) => refused?.problems.includes(problem));
    return found ? t.errors[found] : null;
  };
  const row = (label: string, lines: readonly string[]) =>
    `<div><dt>${e(label)}</dt><dd>${lines.map(e).join('<br>')}</dd></div>`;
  const accountHolder = textField('accountHolder', t.accountHolder, refused?.accountHolder ?? page.accountHolder, {
    problem: wrong('holder'),
    more: 'autocomplete="name" maxlength="70"',
  });
  const iban = textField('iban', t.iban, refused?.iban ?? '', {
    problem: wrong('iban', 'ibanArea'),
    more:
      'class="iban" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="42" ' +
      'placeholder="DE00 0000 0000 0000 0000 00"',
  });
  const terms = [
    row(t.creditor, mandate.creditorLines),
    row(t.creditorIdentifier, [mandate.creditorIdentifier]),
    row(t.mandateReference, [mandate.reference]),
    row(t.payer, mandate.payerLines),
    row(t.kindOfPayment, [t.recurring]),
  ].join('');
  const paragraphs = t.mandateText(page.seller, mandate.noticeDays).map((line) => `<p>${e(line)}</p>`);
  return [
    accountHolder,
    iban,
    `<div class="mandate"><h2>${e(t.mandateTitle)}</h2><dl>${terms}</dl>`,
    `${paragraphs.join('')}</div>`,
    `<div class="field">${consentField(t.consent, wrong('consent'))}</div>`,
  ].join('\n');
}

function consentField(label: string, problem: string | null): string {
  const invalid = problem ? ' aria-invalid="true" aria-describedby="consent-problem"' : '';
  const checkbox = `<input type="checkbox" name="consent" value="yes"${invalid}>`;
  return `<label class="check">${checkbox}<span>${e(label)}</span></label>${problemLine('consent', problem)}`;
}

function textField(
  name: string,
  label: string,
  value: string,
  { problem, more }: { problem: string | null; more: string },
): string {
  const invalid = problem ? ` aria-invalid="true" aria-describedby="${name}-problem"` : '';
  const input = `<input type="text" id="${name}" name="${name}" value="${e(value)}" ${more}${invalid}>`;
  return `<div class="field"><label for="${name}">${e(label)}</label>${input}${problemLine(name, problem)}</div>`;
}

const problemLine = (field: string, problem: string | null): string =>
  problem ? `<p class="problem" id="${field}-problem">${e(problem)}</p>` : '';

export type LinkResult = 'done' | 'pending' | 'unfinished' | 'failed' | 'used' | 'gone';

/** A sign in a circle: its colour and its lines. */
const ICONS: Readonly<Record<LinkResult, readonly [string, string]>> = {
  done: ['good', 'M17 29l8 8 15-17'],
  pending: ['soft', 'M28 15v14l9 6'],
  unfinished: ['soft', 'M28 15v16M28 39v1'],
  failed: ['bad', 'M19 19l18 18M37 19L19 37'],
  used: ['soft', 'M28 15v16M28 39v1'],
  gone: ['soft', 'M28 15v16M28 39v1'],
};

const icon = ([colour, lines]: readonly [string, string]): string =>
  `<svg class="${colour}" viewBox="0 0 56 56" fill="none" stroke="currentColor" stroke-width="4" aria-hidden="true">` +
  `<circle cx="28" cy="28" r="25"/><path d="${lines}" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** What has become of it. `goOn` leads back to the provider. */
export function resultPage(
  result: LinkResult,
  {
    language,
    seller,
    look,
    legal,
    methodName,
    goOn,
  }: {
    language: LinkLanguage;
    seller: string;
    look: SellerLook;
    legal: LegalLinks | null;
    methodName: string | null;
    goOn: string | null;
  },
): string {
  const t = LINK_TEXTS[language];
  const words: Readonly<Record<LinkResult, readonly [string, string]>> = {
    done: [t.done, t.doneText(methodName)],
    pending: [t.pending, t.pendingText],
    unfinished: [t.unfinished, t.unfinishedText],
    failed: [t.failed, t.failedText],
    used: [t.gone, t.usedText(methodName)],
    gone: [t.gone, t.goneText],
  };
  const [title, text] = words[result];
  const end = goOn ? `<a class="button" href="${e(goOn)}">${e(t.goOn)}</a>` : `<p class="soft">${e(t.closeHint)}</p>`;
  const body = `<div class="result" data-result="${result}">${icon(ICONS[result])}<h1>${e(title)}</h1><p>${e(text)}</p>${end}</div>`;
  return layout({ language, title, seller, look, legal, other: null }, body);
}
