import type { CustomerState, PaperBlock, PaperEntry, PaperRequest } from '@kontor/contracts';
import { dayOf } from '@kontor/kernel';
import { agreedHash, agreedQuote } from '../domain/offers/offer.js';
import type { OfferRow } from '../offers/offer.row.js';
import type { PageLanguage } from '../pages/layout.js';
import { amountText, dayText, intervalText, quantityText } from '../pages/money.js';
import { OFFER_TEXTS } from '../pages/offer-texts.js';
import { measuredText } from '../pages/price-table.js';
import { termText } from '../pages/term-text.js';
import type { AuditAction, BuyersEntry } from '../recipients/audit.row.js';
import type { RecipientRow } from '../recipients/recipient.row.js';
import type { DocumentKind } from '../files/offer-document.row.js';
import { PAPER_TEXTS } from './paper-texts.js';

/** Everything that a document about an offer is written from. */
export interface PaperSources {
  readonly offer: OfferRow;
  readonly customer: CustomerState | null;
  readonly recipients: readonly RecipientRow[];
  readonly log: readonly BuyersEntry[];
  readonly timeZone: string;
}

const languageOf = ({ published, locale }: OfferRow): PageLanguage =>
  (published?.content.locale ?? locale) === 'en' ? 'en' : 'de';

/** The document as invoicing is asked for it. */
export function writePaper(kind: Exclude<DocumentKind, 'purchase_order'>, sources: PaperSources): PaperRequest {
  const { offer, timeZone } = sources;
  const language = languageOf(offer);
  const t = PAPER_TEXTS[language];
  const what = { offer: t.offer, signed: t.signedOffer, audit_log: t.auditLog }[kind];
  return {
    language,
    day: dayOf((kind === 'offer' ? offer.issuedAt : offer.signedAt) ?? offer.createdAt, timeZone),
    title: `${what} ${offer.number}`,
    references: referencesOf(sources, language),
    recipient: recipientOf(sources),
    blocks: kind === 'audit_log' ? logBlocks(sources, language) : offerBlocks(kind, sources, language),
  };
}

function referencesOf({ offer, customer, timeZone }: PaperSources, language: PageLanguage): [string, string][] {
  const t = PAPER_TEXTS[language];
  const contact = (offer.published?.content ?? offer).contactPerson;
  const day = (at: Date | null) => at && dayText(at, language, timeZone);
  const rows: [string, string | null | undefined][] = [
    [t.number, offer.number],
    [t.day, day(offer.issuedAt)],
    [t.validUntil, offer.status === 'signed' ? null : day(offer.validUntil)],
    [t.customerNumber, customer?.customerNumber],
    [t.poNumber, offer.capturedInvoiceDetails?.poNumber],
    [t.contact, contact && [contact.firstName, contact.lastName].filter(Boolean).join(' ')],
    [t.phone, contact?.phone],
    [t.email, contact?.email],
  ];
  return rows.flatMap(([label, value]): [string, string][] => (value ? [[label, value]] : []));
}

function recipientOf({ offer, customer }: PaperSources): PaperRequest['recipient'] {
  const known = customer?.addresses.filter(({ status }) => status === 'active') ?? [];
  const address = offer.capturedInvoiceDetails ?? known.find((address) => address.default) ?? known[0];
  const person = [address?.firstName ?? customer?.firstName, address?.lastName ?? customer?.lastName];
  const nameLines = [address?.companyName ?? customer?.companyName, person.filter(Boolean).join(' ')];
  return {
    nameLines: nameLines.filter((line): line is string => Boolean(line)),
    address: {
      street: address?.street ?? null,
      houseNumber: address?.houseNumber ?? null,
      addition: address?.addition ?? null,
      zip: address?.zip ?? null,
      city: address?.city ?? null,
      countryCode: address?.countryCode ?? customer?.countryCode ?? 'DE',
    },
  };
}

function offerBlocks(kind: 'offer' | 'signed', sources: PaperSources, language: PageLanguage): PaperBlock[] {
  const { offer } = sources;
  const t = PAPER_TEXTS[language];
  const content = offer.published?.content ?? offer;
  const blocks: PaperBlock[] = content.name ? [{ kind: 'text', heading: content.name, text: null }] : [];
  const sections = offer.published?.sections ?? offer.sections;
  const texts = sections.map(({ type, title, text }) => ({ type, title: asText(title), text: asText(text) }));
  const isLast = ({ type }: { type: string }): boolean => type === 'terms' || type === 'signature';
  const textBlock = ({ title, text }: (typeof texts)[number]): PaperBlock[] =>
    title === null && text === null ? [] : [{ kind: 'text', heading: title, text }];
  blocks.push(...texts.filter((text) => !isLast(text)).flatMap(textBlock));
  blocks.push(...priceBlocks(offer, language));
  blocks.push(...texts.filter(isLast).flatMap(textBlock));
  if (kind === 'signed') blocks.push(...signatureBlocks(sources, language));
  else if (content.acceptanceMode === 'print') blocks.push({ kind: 'sign', labels: [...t.sign] });
  const hash = agreedHash(offer);
  if (hash) blocks.push({ kind: 'note', text: t.version(hash) });
  return blocks;
}

const asText = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

function priceBlocks(offer: OfferRow, language: PageLanguage): PaperBlock[] {
  const quote = agreedQuote(offer);
  if (!quote || (quote.lines.length === 0 && quote.totals === null)) return [];
  const t = OFFER_TEXTS[language];
  const { totals } = quote;
  const sums = totals
    ? [
        ...(totals.discount.amount === 0
          ? []
          : [
              {
                label: t.discount,
                amount: amountText({ ...totals.discount, amount: -totals.discount.amount }, language),
                total: false,
              },
            ]),
        { label: t.net, amount: amountText(totals.net, language), total: false },
        { label: t.tax, amount: amountText(totals.tax, language), total: false },
        { label: t.total, amount: amountText(totals.gross, language), total: true },
      ]
    : [];
  const again = quote.recurring.map(
    ({ interval, gross }) => `${t.then(intervalText(interval, language))}: ${amountText(gross, language)} ${t.gross}`,
  );
  again.push(...(quote.measured ?? []).map((entry) => measuredText(entry, t, language)));
  const bound = termText(quote.term, language);
  if (bound) again.push(bound);
  return [
    {
      kind: 'table',
      heading: t.firstInvoice,
      columns: [t.what, t.quantity, t.amount],
      lines: quote.lines.map(({ name, description, quantity, netAmount }) => ({
        name,
        description,
        quantity: quantityText(quantity, language),
        amount: amountText(netAmount, language),
      })),
      sums,
    },
    ...(again.length > 0 ? [{ kind: 'text' as const, heading: null, text: again.join('\n') }] : []),
  ];
}

/** What somebody did who did not agree by that. */
const UNDECIDED: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'options_chosen',
  'price_updated',
  'signing_cancelled',
]);

/** Who has agreed, when, from where and to what. */
function signatureBlocks({ recipients, log, timeZone }: PaperSources, language: PageLanguage): PaperBlock[] {
  const t = PAPER_TEXTS[language];
  const decided = lastOf(log).filter(({ action }) => !UNDECIDED.has(action));
  const entries = decided.map((entry): PaperEntry => {
    const signature = recipients.find(({ email }) => email === entry.email)?.signature;
    const isSigned = entry.action === 'signed' && signature;
    return {
      title: isSigned ? t.signedBy(signature.name) : t.actions[entry.action],
      picture: isSigned && signature.type === 'drawn' ? (signature.data.split(',')[1] ?? null) : null,
      lines: [
        ...(isSigned ? [signature.type === 'drawn' ? t.drawn : t.typed] : []),
        ...factsOf(entry, language, timeZone),
      ],
    };
  });
  return [{ kind: 'entries', heading: t.signatures, entries }];
}

/** What counts: signatures that were withdrawn do not. */
function lastOf(log: readonly BuyersEntry[]): readonly BuyersEntry[] {
  const reset = log.findLastIndex(({ action }) => action === 'signing_cancelled');
  return log.slice(reset + 1);
}

function factsOf(entry: BuyersEntry, language: PageLanguage, timeZone: string): string[] {
  const t = PAPER_TEXTS[language];
  const facts = [entry.email, t.at(`${instantText(entry.at, language, timeZone)} (${entry.at.toISOString()})`)];
  if (entry.ip || entry.userAgent) facts.push(t.from(entry.ip ?? '', entry.userAgent ?? ''));
  if (entry.versionHash) facts.push(t.version(entry.versionHash));
  return facts.filter((fact): fact is string => Boolean(fact));
}

const instantText = (at: Date, language: PageLanguage, timeZone: string): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone,
  }).format(at);

function logBlocks({ offer, log, timeZone }: PaperSources, language: PageLanguage): PaperBlock[] {
  const t = PAPER_TEXTS[language];
  return [
    { kind: 'text', heading: null, text: t.auditLead(offer.number) },
    {
      kind: 'entries',
      heading: null,
      entries: log.map((entry, n) => ({
        title: `${n + 1}. ${t.actions[entry.action]}${entry.name ? `: ${entry.name}` : ''}`,
        lines: factsOf(entry, language, timeZone),
        picture: null,
      })),
    },
  ];
}
