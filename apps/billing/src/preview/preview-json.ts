import type { ChargeLine } from '@kontor/contracts';
import { DomainError, startOfDay } from '@kontor/kernel';
import { exponentOf, money, type Money, toMoneyJson, toUnitPriceJson } from '@kontor/money';
import { areSafeTotals, LEGAL_NOTES, legalNoteText, totalsOf } from '@kontor/tax';
import { chargeLine, isShown } from '../domain/charging/charge-line.js';
import type { AccountCharge } from '../domain/charging/rated-account.js';
import type { PreviewJson } from './preview.schema.js';
import { type PreviewContext, priceLines } from './price-lines.js';

const amount = (minor: bigint, currencyCode: string) => toMoneyJson(money(minor, currencyCode) satisfies Money);

/**
 * An invoice that would be made of rated lines: positions with tax and explanation, and totals. Lines in another
 * currency than the customer's are converted only when the document is finalized, so with them there are no totals yet.
 * @throws DomainError `amount_out_of_range`
 */
export function previewJson(charges: readonly AccountCharge[], context: PreviewContext): PreviewJson {
  const { account, rating } = context;
  const shown = charges.filter((charge) => isShown(charge, rating));
  const priced = priceLines(shown, context).filter(({ isLimited, amounts }) => !isLimited || amounts.netMinor !== 0n);
  const totals = totalsOf(
    priced.map(({ amounts, decision }) => ({ ...amounts, ...decision })),
    account.currencyCode,
  );
  if (!areSafeTotals(totals)) throw new DomainError('amount_out_of_range');
  const isConverted = priced.some(({ currencyCode }) => currencyCode !== account.currencyCode);
  const total = (minor: bigint) => (isConverted ? null : amount(minor, account.currencyCode));
  const [first] = shown;
  return {
    currencyCode: account.currencyCode,
    billingDate: first ? startOfDay(first.charge.dueOn, account.zone).toISOString() : null,
    netAmount: total(totals.netMinor),
    discountAmount: totals.discountMinor === 0n ? null : total(totals.discountMinor),
    taxAmount: total(totals.taxMinor),
    grossAmount: total(totals.grossMinor),
    taxes: totals.taxes.map((tax) => ({
      category: tax.category,
      rate: tax.rate,
      netAmount: total(tax.baseMinor),
      taxAmount: total(tax.taxMinor),
      note: tax.noteKey && legalNoteText(tax.noteKey, account.language),
      exemptionCode: tax.noteKey && LEGAL_NOTES[tax.noteKey].exemptionCode,
    })),
    positions: priced.map(({ line: charge, decision, currencyCode, amounts, isLimited }, n) => {
      const addressed = { ...charge, account, recipientId: account.customerId };
      const {
        chargeId: _,
        serviceFrom,
        serviceTo,
        taxGroupId: __,
        ...line
      } = chargeLine('', addressed, account, rating);
      const tax = totals.lines[n];
      return {
        position: n + 1,
        name: line.name,
        description: line.description,
        kind: line.kind,
        unit: line.unit,
        ...shownAmounts(line, isLimited ? amounts.netMinor : null),
        discountAmount: line.discountAmount,
        taxAmount: amount(tax?.taxMinor ?? 0n, currencyCode),
        grossAmount: amount(tax?.grossMinor ?? 0n, currencyCode),
        tax: decision.tax && {
          id: decision.tax.id,
          code: decision.tax.code,
          rate: decision.tax.rate,
          description: decision.tax.description,
        },
        taxCategory: decision.category,
        taxNote: decision.noteKey && legalNoteText(decision.noteKey, account.language),
        taxExemptionCode: decision.noteKey && LEGAL_NOTES[decision.noteKey].exemptionCode,
        product: line.product,
        subscriptionItem: line.subscriptionItem,
        serviceDateFrom: serviceFrom,
        // The last instant of the period, as on the invoice.
        serviceDateTo: new Date(startOfDay(charge.charge.serviceTo, account.zone).getTime() - 1).toISOString(),
        servicePeriod: { from: serviceFrom, to: serviceTo },
        explanation: line.explanation,
      };
    }),
  };
}

/** A credit that is limited shows the amount itself, once, as on the document. */
function shownAmounts(
  line: Pick<ChargeLine, 'quantity' | 'unitPrice' | 'netAmount'>,
  limitedMinor: bigint | null,
): Pick<ChargeLine, 'quantity' | 'unitPrice' | 'netAmount'> {
  const { quantity, unitPrice, netAmount } = line;
  if (limitedMinor === null) return { quantity, unitPrice, netAmount };
  const { currencyCode } = netAmount;
  const price = { amount: limitedMinor < 0n ? -limitedMinor : limitedMinor, precision: exponentOf(currencyCode) };
  return {
    quantity: limitedMinor < 0n ? '-1' : '1',
    unitPrice: toUnitPriceJson({ ...price, currencyCode }),
    netAmount: amount(limitedMinor, currencyCode),
  };
}
