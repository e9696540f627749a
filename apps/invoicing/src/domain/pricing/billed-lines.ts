import type { BilledTax } from '@kontor/tax';
import type { AppliedRate, Invoice } from '../invoices/invoice.js';
import type { AppliedTax, Position, PricedPosition } from '../invoices/position.js';

/** A document as those that refer to it name it. */
export type BilledDocument = Pick<Invoice, 'id' | 'type' | 'number' | 'finalizedAt'>;

/** How an earlier line was taxed, and what later lines have left of it. */
export interface BilledLine extends BilledTax {
  readonly document: BilledDocument;
  /** Later invoices that have added to it: usage that came late. */
  readonly added: readonly BilledDocument[];
  /** What it was converted with into the document's currency; null: it was not. */
  readonly exchangeRate: AppliedRate | null;
  readonly tax: AppliedTax | null;
}

/** What a charge in a currency was converted with: the newest of its document, which may credit older lines with theirs. */
export const rateOfLine = (rates: readonly AppliedRate[], currencyCode: string): AppliedRate | null =>
  rates
    .filter(({ sourceCurrencyCode }) => sourceCurrencyCode === currencyCode)
    .sort((a, b) => (a.exchangeRateDate < b.exchangeRateDate ? 1 : -1))[0] ?? null;

/**
 * The earlier lines that lines of the documents at work credit or correct, by charge. Documents that are priced one after
 * the other each find what those before them have left.
 */
export class BilledLines {
  private readonly lines = new Map<string, BilledLine>();
  private readonly wanted: ReadonlySet<string>;

  constructor(wanted: Iterable<string> = [], found: Iterable<BilledLine> = []) {
    this.wanted = new Set(wanted);
    for (const line of found) this.lines.set(line.chargeId, line);
  }

  of({ originalChargeId }: Pick<Position, 'originalChargeId'>): BilledLine | undefined {
    return originalChargeId ? this.lines.get(originalChargeId) : undefined;
  }

  /** What pricing a document has added to it and taken from it. */
  record(
    document: BilledDocument & Pick<Invoice, 'currencyCode'>,
    {
      positions,
      exchangeRates,
    }: { readonly positions: readonly PricedPosition[]; readonly exchangeRates: readonly AppliedRate[] },
  ): void {
    for (const position of positions) {
      this.take(position, document);
      const { chargeId, taxCategory: category, taxRate: rate, taxNoteKey: noteKey, tax, taxMinor } = position;
      if (chargeId === null || category === null || !this.wanted.has(chargeId) || this.lines.has(chargeId)) continue;
      const netMinor = position.netMinor - position.discountMinor;
      const { currencyCode } = document;
      const exchangeRate = rateOfLine(exchangeRates, position.priceCurrencyCode);
      const amounts = { billedMinor: netMinor, netMinor, taxMinor };
      this.lines.set(chargeId, {
        chargeId,
        document,
        added: [],
        currencyCode,
        exchangeRate,
        category,
        rate,
        noteKey,
        tax,
        ...amounts,
      });
    }
  }

  /** The documents of the lines that some positions refer to, and those that have added to them since, by number. */
  documentsOf(positions: readonly Pick<Position, 'originalChargeId'>[]): BilledDocument[] {
    const documents = new Map<string, BilledDocument>();
    for (const position of positions) {
      const line = this.of(position);
      for (const document of line ? [line.document, ...line.added] : []) documents.set(document.id, document);
    }
    return [...documents.values()]
      .filter(({ number }) => number !== null)
      .sort((a, b) => ((a.number as string) < (b.number as string) ? -1 : 1));
  }

  private take(position: PricedPosition, document: BilledDocument): void {
    const line = this.of(position);
    if (!line) return;
    const netMinor = position.netMinor - position.discountMinor;
    const adds = netMinor !== 0n && netMinor > 0n === line.billedMinor >= 0n && document.type === 'TYPE_INVOICE';
    this.lines.set(line.chargeId, {
      ...line,
      added: adds ? [...line.added, document] : line.added,
      netMinor: line.netMinor + netMinor,
      taxMinor: line.taxMinor + position.taxMinor,
    });
  }
}
