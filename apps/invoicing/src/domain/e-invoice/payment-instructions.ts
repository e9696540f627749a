import type { DocumentSnapshot } from '../finalization/document-snapshot.js';
import type { PaymentInstructions } from './e-invoice.js';
import { plain } from './plain-text.js';

/** Codes of UNCL 4461. */
const MEANS = {
  transfer: '30',
  sepaTransfer: '58',
  sepaDebit: '59',
  card: '48',
  online: '68',
  clearing: '97',
} as const;

/** BG-16: how the payable amount (in minor units) is paid. */
export function paymentOf(snapshot: DocumentSnapshot, payable: number): PaymentInstructions | null {
  const { payment, number, currencyCode } = snapshot;
  const nothing = { text: null, remittance: plain(number), account: null, card: null, debit: null };
  // What is set off or returned names no way of paying.
  if (payable <= 0) return { ...nothing, code: MEANS.clearing };
  switch (payment.kind) {
    case 'transfer':
      return {
        ...nothing,
        code: currencyCode === 'EUR' ? MEANS.sepaTransfer : MEANS.transfer,
        remittance: plain(payment.remittance),
        account: { iban: payment.iban.replace(/\s/g, ''), name: plain(payment.accountHolder), bic: plain(payment.bic) },
      };
    case 'sepa_debit':
      return {
        ...nothing,
        code: MEANS.sepaDebit,
        debit: {
          mandate: plain(payment.mandateReference),
          creditorId: plain(payment.creditorIdentifier),
          account: plain(payment.iban?.replaceAll('•', 'X').replace(/\s/g, '')),
        },
      };
    case 'collected':
      return payment.card
        ? {
            ...nothing,
            code: MEANS.card,
            text: plain(payment.label),
            card: { number: payment.card.last4, holder: plain(payment.card.holder) },
          }
        : { ...nothing, code: MEANS.online, text: plain(payment.label) };
    default:
      return { ...nothing, code: '1' };
  }
}
