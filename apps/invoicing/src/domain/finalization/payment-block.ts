import { type Day, directDebitDay } from '@kontor/kernel';
import { localDay } from '../invoices/local-day.js';
import type { Seller } from '../invoices/settings.js';
import type { DocumentSnapshot, SnapshotPayment } from './document-snapshot.js';
import type { SnapshotInput } from './snapshot-input.js';

/** The seller's account that payers transfer to. */
export function bankAccountOf(seller: Seller): DocumentSnapshot['seller']['bankAccount'] {
  const { bankAccount } = seller;
  return bankAccount?.iban
    ? {
        accountHolder: bankAccount.accountHolder ?? seller.company ?? '',
        iban: bankAccount.iban,
        bic: bankAccount.bic ?? null,
        bankName: bankAccount.bankName ?? null,
      }
    : null;
}

/** Naming the invoice and the fee's own document, the bank's line settles both by itself. */
const remittanceOf = ({ invoice, claim }: SnapshotInput): string =>
  [claim?.invoice.number, ...(claim?.earlierNumbers ?? []), !claim || invoice.grossMinor > 0n ? invoice.number : null]
    .filter(Boolean)
    .join(' ');

/** How a document says that it is paid. */
export function paymentBlock(input: SnapshotInput): SnapshotPayment {
  const { invoice, settings } = input;
  if (invoice.grossMinor === 0n && !input.claim) return { kind: 'none' };
  // What becomes of a credit that is taken back depends on where it has gone.
  if (invoice.grossMinor < 0n || invoice.type === 'TYPE_CANCEL') return { kind: 'credit' };
  const method = usableMethod(input);
  const gateway = method?.['gatewayName'];
  if (gateway === 'sepa_debit' || method?.['type'] === 'sepa_debit') {
    const mandate = (method?.['sepaDebit'] ?? null) as { iban?: string; mandateReference?: string } | null;
    return {
      kind: 'sepa_debit',
      iban: mandate?.iban ?? null,
      mandateReference: mandate?.mandateReference ?? null,
      creditorIdentifier: gateway === 'sepa_debit' ? settings.seller.creditorIdentifier : null,
      debitDate: gateway === 'sepa_debit' ? debitDay(input) : null,
    };
  }
  if (method && gateway !== 'bank_transfer') {
    const card = cardOf(method);
    return { kind: 'collected', label: String(method['name'] ?? gateway), ...(card && { card }) };
  }
  const account = bankAccountOf(settings.seller);
  if (!account) return { kind: 'none' };
  return {
    kind: 'transfer',
    ...account,
    remittance: remittanceOf(input),
    qrCode: settings.paymentQrCode && invoice.currencyCode === 'EUR',
  };
}

function cardOf(method: Readonly<Record<string, unknown>>): { last4: string; holder: string | null } | null {
  const card = (method['card'] ?? null) as { last4?: string; cardHolder?: string | null } | null;
  return card?.last4 ? { last4: card.last4, holder: card.cardHolder ?? null } : null;
}

/** The method, unless it cannot pay this document: then the recipient has to. A debit by mandate is in euro. */
function usableMethod({ method, invoice }: SnapshotInput): SnapshotInput['method'] {
  if (!method || (method['status'] !== undefined && method['status'] !== 'active')) return null;
  return method['gatewayName'] === 'sepa_debit' && invoice.currencyCode !== 'EUR' ? null : method;
}

/**
 * The document is the notice that SEPA asks for, so it names the day on which payments will have the account debited.
 */
function debitDay({ invoice, customer, settings, day, draft }: SnapshotInput): Day | null {
  if (draft || !invoice.dueAt) return null;
  return directDebitDay({
    dueOn: localDay(invoice.dueAt, customer.timeZone),
    today: day,
    noticeDays: settings.preNotificationDays,
  });
}
