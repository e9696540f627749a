import type { PageLanguage } from '@kontor/service-kit';

/** What payers read. */
export interface PayerTexts {
  readonly title: string;
  readonly lead: (seller: string) => string;
  readonly sandbox: string;
  readonly document: string;
  readonly amount: string;
  readonly hint: string;
  readonly goOn: string;
  readonly unavailable: string;
  readonly states: Readonly<
    Record<'pending' | 'paid' | 'failed' | 'open' | 'unpaid' | 'gone', readonly [string, string]>
  >;
  readonly otherWay: string;
  readonly payOtherwise: string;
  readonly back: string;
  readonly test: { readonly title: string; readonly lead: string; readonly approve: string; readonly decline: string };
  readonly otherLanguage: string;
}

const de: PayerTexts = {
  title: 'Zahlung bestätigen',
  lead: (seller) => `Ihre Zahlung an ${seller} wartet auf Ihre Bestätigung.`,
  sandbox: 'Testumgebung: Es fließt kein Geld.',
  document: 'Rechnung',
  amount: 'Betrag',
  hint: 'Sie bestätigen die Zahlung auf der Seite des Zahlungsanbieters und kommen danach hierher zurück.',
  goOn: 'Weiter zur Bestätigung',
  unavailable: 'Der Zahlungsanbieter ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
  states: {
    pending: ['Die Zahlung wird bearbeitet', 'Sie müssen nichts weiter tun.'],
    paid: ['Bezahlt', 'Vielen Dank, es ist nichts mehr zu zahlen.'],
    failed: [
      'Die Zahlung wurde abgelehnt',
      'Die Rechnung ist noch offen. Sie können den Betrag auch überweisen, wie es auf ihr steht.',
    ],
    open: ['Nichts zu bestätigen', 'Diese Zahlung wartet nicht auf Sie.'],
    unpaid: [
      'Nichts zu bestätigen',
      'Die Rechnung ist noch offen. Sie können den Betrag überweisen, wie es auf ihr steht.',
    ],
    gone: ['Dieser Link gilt nicht', 'Bitte prüfen Sie die Adresse, oder wenden Sie sich an den Absender.'],
  },
  otherWay: 'Oder wählen Sie eine andere Zahlungsart: Damit ziehen wir den Betrag gleich ein.',
  payOtherwise: 'Anders bezahlen',
  back: 'Weiter',
  test: {
    title: 'Testanbieter',
    lead: 'So fragt ein Zahlungsanbieter seinen Kunden. Entscheiden Sie, was geschehen soll.',
    approve: 'Zahlung freigeben',
    decline: 'Ablehnen',
  },
  otherLanguage: 'English',
};

const en: PayerTexts = {
  title: 'Confirm the payment',
  lead: (seller) => `Your payment to ${seller} waits for your confirmation.`,
  sandbox: 'Test environment: no money moves.',
  document: 'Invoice',
  amount: 'Amount',
  hint: "You confirm the payment on the payment provider's page, and come back here afterwards.",
  goOn: 'Go on to confirm',
  unavailable: 'The payment provider cannot be reached at present. Please try again in a moment.',
  states: {
    pending: ['The payment is being processed', 'There is nothing else to do.'],
    paid: ['Paid', 'Thank you, nothing is left to be paid.'],
    failed: [
      'The payment was declined',
      'The invoice is still open. You can also transfer the amount, as the invoice says.',
    ],
    open: ['Nothing to confirm', 'This payment does not wait for you.'],
    unpaid: ['Nothing to confirm', 'The invoice is still open. You can transfer the amount, as the invoice says.'],
    gone: ['This link is not valid', 'Please check the address, or ask the sender.'],
  },
  otherWay: 'Or choose another way to pay, and we collect the amount by it at once.',
  payOtherwise: 'Pay another way',
  back: 'Continue',
  test: {
    title: 'Test provider',
    lead: 'This is how a payment provider asks its customer. Decide what is to happen.',
    approve: 'Approve the payment',
    decline: 'Decline',
  },
  otherLanguage: 'Deutsch',
};

export const PAYER_TEXTS: Readonly<Record<PageLanguage, PayerTexts>> = { de, en };
