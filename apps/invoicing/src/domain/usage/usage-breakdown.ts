import type { UsageBreakdown } from '@kontor/contracts';
import { money, toMoneyJson, toUnitPriceJson } from '@kontor/money';
import type { DocumentSnapshot } from '../finalization/document-snapshot.js';
import type { Invoice } from '../invoices/invoice.js';
import { inDocumentOrder, type PricedPosition } from '../invoices/position.js';

/** More would not fit into an event. */
const MAX_POSITIONS = 250;

interface Recipient {
  readonly companyName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly timeZone: string;
}

/** Whether a document gets a page about its usage. */
export const hasUsage = (positions: readonly Pick<PricedPosition, 'usage'>[]): boolean =>
  positions.some((position) => position.usage);

/** What the page about a document's usage shows: the positions that bill usage, as they are on the document. */
export function usageBreakdownOf(
  invoice: Pick<Invoice, 'language' | 'currencyCode'>,
  positions: readonly PricedPosition[],
  parties: {
    customer: Recipient;
    seller: { company: string | null; contact: { email: string | null } | null };
    tokenHash: string;
  },
): UsageBreakdown {
  const { customer, seller, tokenHash } = parties;
  const measured = inDocumentOrder(positions).flatMap((position) => {
    const { usage } = position;
    return usage ? [{ ...position, usage }] : [];
  });
  return {
    tokenHash,
    language: invoice.language,
    timeZone: customer.timeZone,
    sellerName: seller.company,
    sellerEmail: seller.contact?.email ?? null,
    customerName: customer.companyName ?? ([customer.firstName, customer.lastName].filter(Boolean).join(' ') || null),
    positions: measured.slice(0, MAX_POSITIONS).map((position) => ({
      id: position.id,
      name: position.name,
      description: position.description,
      quantity: position.quantity,
      unitName: position.unitName,
      unitPrice: toUnitPriceJson({
        amount: position.priceAmount,
        precision: position.pricePrecision,
        currencyCode: position.priceCurrencyCode,
      }),
      netAmount: toMoneyJson(money(position.netMinor - position.discountMinor, invoice.currencyCode)),
      usage: position.usage,
    })),
    omittedPositions: Math.max(0, measured.length - MAX_POSITIONS),
  };
}

const LINK = { de: 'Ihr Verbrauch im Einzelnen, Tag für Tag:', en: 'Your usage in detail, day by day:' };

/**
 * The document with the way to its page in the closing text. It is not part of what is frozen: who reads the database
 * cannot open the page.
 */
export function withUsageLink(snapshot: DocumentSnapshot, url: string | null): DocumentSnapshot {
  if (url === null) return snapshot;
  const closing = [snapshot.texts.closing, `${LINK[snapshot.language]} ${url}`]
    .filter((text) => text !== null)
    .join('\n');
  return { ...snapshot, texts: { ...snapshot.texts, closing } };
}
