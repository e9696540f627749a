import { addDays, startOfDay } from '@kontor/kernel';
import { money, type Money, toMoneyJson } from '@kontor/money';
import { decideTax, LEGAL_NOTES, legalNoteText, type TaxGroup, type TaxParties, totalsOf } from '@kontor/tax';
import { chargeLine, isShown } from '../domain/charging/charge-line.js';
import type { Account, RatingContext } from '../domain/charging/rating-context.js';
import type { AccountCharge } from '../domain/charging/rated-account.js';
import type { PreviewJson } from './preview.schema.js';

export interface PreviewContext {
  readonly account: Account;
  readonly rating: RatingContext;
  readonly parties: TaxParties;
  readonly taxGroupOf: (id: string) => TaxGroup;
}

const amount = (minor: bigint, currencyCode: string) => toMoneyJson(money(minor, currencyCode) satisfies Money);

/**
 * An invoice that would be made of rated lines: positions with tax and explanation, and totals. Lines in another
 * currency than the customer's are converted only when the document is finalized, so with them there are no totals yet.
 */
export function previewJson(
  charges: readonly AccountCharge[],
  { account, rating, parties, taxGroupOf }: PreviewContext,
): PreviewJson {
  const shown = charges.filter((charge) => isShown(charge, rating));
  const priced = shown.map((line) => {
    const { charge } = line;
    const product = rating.prices.productOf(charge.pricePlanId);
    const decision = decideTax(parties, {
      group: taxGroupOf(product.taxGroupId),
      isGood: product.isGood,
      suppliedOn: addDays(charge.serviceTo, -1),
    });
    return { line, decision, currencyCode: charge.amount.unitPrice.currencyCode };
  });
  const totals = totalsOf(priced.map(({ line, decision }) => ({ ...line.charge.amount, ...decision })));
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
    positions: priced.map(({ line: charge, decision, currencyCode }, n) => {
      const { chargeId: _, serviceFrom, serviceTo, taxGroupId: __, ...line } = chargeLine('', charge, account, rating);
      const tax = totals.lines[n];
      return {
        position: n + 1,
        name: line.name,
        description: line.description,
        kind: line.kind,
        quantity: line.quantity,
        unit: line.unit,
        unitPrice: line.unitPrice,
        netAmount: line.netAmount,
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
