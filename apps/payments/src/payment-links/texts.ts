import type { PageLanguage } from '@kontor/service-kit';

/** What the public pages say. */
export interface LinkTexts {
  readonly title: string;
  readonly lead: (seller: string) => string;
  readonly sandbox: string;
  readonly choose: string;
  readonly nothing: string;
  readonly sepa: string;
  readonly sepaHint: string;
  readonly accountHolder: string;
  readonly iban: string;
  readonly mandateTitle: string;
  readonly creditor: string;
  readonly creditorIdentifier: string;
  readonly mandateReference: string;
  readonly payer: string;
  readonly kindOfPayment: string;
  readonly recurring: string;
  readonly mandateText: (creditor: string, noticeDays: number) => readonly string[];
  readonly consent: string;
  readonly addSepa: string;
  readonly card: string;
  readonly cardHint: string;
  readonly onlineWallet: string;
  readonly onlineWalletHint: string;
  readonly debitProvider: string;
  readonly debitProviderHint: string;
  readonly goOn: string;
  readonly transfer: string;
  readonly transferHint: string;
  readonly useTransfer: string;
  readonly testing: string;
  readonly fake: string;
  readonly testHint: string;
  readonly addTest: string;
  readonly validUntil: (day: string) => string;
  readonly errorTitle: string;
  readonly errors: Readonly<Record<'iban' | 'ibanArea' | 'holder' | 'consent' | 'provider', string>>;
  readonly done: string;
  readonly doneText: (name: string | null) => string;
  readonly pending: string;
  readonly pendingText: string;
  readonly unfinished: string;
  readonly unfinishedText: string;
  readonly failed: string;
  readonly failedText: string;
  readonly usedText: (name: string | null) => string;
  readonly gone: string;
  readonly goneText: string;
  readonly closeHint: string;
  readonly otherLanguage: string;
}

const de: LinkTexts = {
  title: 'Zahlungsart hinzufügen',
  lead: (seller) => `Hinterlegen Sie, wie Sie Rechnungen von ${seller} bezahlen möchten.`,
  sandbox: 'Testumgebung: Es fließt kein Geld.',
  choose: 'Zahlungsart wählen',
  nothing: 'Zurzeit kann hier keine Zahlungsart hinzugefügt werden. Bitte wenden Sie sich an den Absender des Links.',
  sepa: 'SEPA-Lastschrift',
  sepaHint: 'Wir buchen fällige Beträge von Ihrem Konto ab.',
  accountHolder: 'Kontoinhaber',
  iban: 'IBAN',
  mandateTitle: 'SEPA-Lastschriftmandat',
  creditor: 'Zahlungsempfänger',
  creditorIdentifier: 'Gläubiger-Identifikationsnummer',
  mandateReference: 'Mandatsreferenz',
  payer: 'Zahlungspflichtiger',
  kindOfPayment: 'Art der Zahlung',
  recurring: 'Wiederkehrende Zahlung',
  mandateText: (creditor, noticeDays) => [
    `Ich ermächtige ${creditor}, Zahlungen von meinem Konto mittels Lastschrift einzuziehen. Zugleich weise ich ` +
      `mein Kreditinstitut an, die von ${creditor} auf mein Konto gezogenen Lastschriften einzulösen.`,
    'Hinweis: Ich kann innerhalb von acht Wochen, beginnend mit dem Belastungsdatum, die Erstattung des ' +
      'belasteten Betrages verlangen. Es gelten dabei die mit meinem Kreditinstitut vereinbarten Bedingungen.',
    'Betrag und Datum jeder Lastschrift werden mir spätestens ' +
      `${noticeDays === 1 ? 'einen Tag' : `${noticeDays} Tage`} vorher angekündigt, in der Regel mit der Rechnung.`,
  ],
  consent: 'Ich erteile dieses SEPA-Lastschriftmandat.',
  addSepa: 'Mandat erteilen',
  card: 'Kreditkarte',
  cardHint: 'Sie geben die Karte auf der sicheren Seite des Kartenanbieters ein.',
  onlineWallet: 'Online-Wallet',
  onlineWalletHint: 'Sie melden sich beim Anbieter an und stimmen dort zu.',
  debitProvider: 'Lastschrift',
  debitProviderHint: 'Sie erteilen das Mandat auf der Seite des Zahlungsanbieters.',
  goOn: 'Weiter zum Anbieter',
  transfer: 'Überweisung',
  transferHint: 'Sie überweisen jede Rechnung selbst; die Bankverbindung steht darauf.',
  useTransfer: 'Per Überweisung zahlen',
  testing: 'Testzahlung',
  fake: 'Testanbieter',
  testHint: 'Nur in der Testumgebung.',
  addTest: 'Hinzufügen',
  validUntil: (day) => `Dieser Link gilt bis ${day} und für eine Zahlungsart.`,
  errorTitle: 'Bitte prüfen Sie Ihre Angaben',
  errors: {
    iban: 'Diese IBAN stimmt nicht. Bitte prüfen Sie die Ziffern.',
    ibanArea: 'Von diesem Konto kann nicht abgebucht werden: Es liegt außerhalb des SEPA-Raums.',
    holder: 'Bitte geben Sie den Namen des Kontoinhabers an.',
    consent: 'Ohne Ihre Zustimmung können wir nicht abbuchen.',
    provider:
      'Der Zahlungsanbieter hat das nicht angenommen. Bitte versuchen Sie es noch einmal oder wählen Sie eine ' +
      'andere Zahlungsart.',
  },
  done: 'Geschafft',
  doneText: (name) => (name ? `Ihre Zahlungsart „${name}“ ist hinterlegt.` : 'Ihre Zahlungsart ist hinterlegt.'),
  pending: 'Fast geschafft',
  pendingText: 'Der Zahlungsanbieter prüft Ihre Angaben noch. Sie müssen nichts weiter tun.',
  unfinished: 'Noch nicht fertig',
  unfinishedText: 'Sie haben den Vorgang beim Zahlungsanbieter nicht abgeschlossen.',
  failed: 'Das hat nicht geklappt',
  failedText: 'Die Zahlungsart wurde nicht hinzugefügt.',
  usedText: (name) =>
    `Er wurde schon benutzt${name ? `: Hinterlegt ist „${name}“` : ''}. Bitten Sie den Absender um einen neuen, wenn Sie anders bezahlen möchten.`,
  gone: 'Dieser Link gilt nicht mehr',
  goneText: 'Er ist abgelaufen oder wurde schon benutzt. Bitten Sie den Absender um einen neuen.',
  closeHint: 'Sie können diese Seite schließen.',
  otherLanguage: 'English',
};

const en: LinkTexts = {
  title: 'Add a payment method',
  lead: (seller) => `Tell us how you would like to pay invoices from ${seller}.`,
  sandbox: 'Test environment: no money moves.',
  choose: 'Choose a payment method',
  nothing: 'No payment method can be added here at the moment. Please contact the sender of this link.',
  sepa: 'SEPA direct debit',
  sepaHint: 'We debit your account when an invoice is due.',
  accountHolder: 'Account holder',
  iban: 'IBAN',
  mandateTitle: 'SEPA Direct Debit Mandate',
  creditor: 'Creditor',
  creditorIdentifier: 'Creditor identifier',
  mandateReference: 'Mandate reference',
  payer: 'Debtor',
  kindOfPayment: 'Type of payment',
  recurring: 'Recurrent payment',
  mandateText: (creditor, noticeDays) => [
    `By signing this mandate form, you authorise (A) ${creditor} to send instructions to your bank to debit your ` +
      'account and (B) your bank to debit your account in accordance with the instructions from ' +
      `${creditor}.`,
    'As part of your rights, you are entitled to a refund from your bank under the terms and conditions of your ' +
      'agreement with your bank. A refund must be claimed within 8 weeks starting from the date on which your ' +
      'account was debited. Your rights are explained in a statement that you can obtain from your bank.',
    'You will be notified of the amount and date of each debit at least ' +
      `${noticeDays === 1 ? 'one day' : `${noticeDays} days`} in advance, usually with the invoice.`,
  ],
  consent: 'I give this SEPA direct debit mandate.',
  addSepa: 'Give mandate',
  card: 'Credit card',
  cardHint: 'You enter the card on the secure page of the card provider.',
  onlineWallet: 'Online wallet',
  onlineWalletHint: 'You log in at the provider and agree there.',
  debitProvider: 'Direct debit',
  debitProviderHint: 'You give the mandate on the page of the payment provider.',
  goOn: 'Continue to the provider',
  transfer: 'Bank transfer',
  transferHint: 'You transfer each invoice yourself; the bank details are on it.',
  useTransfer: 'Pay by transfer',
  testing: 'Test payment',
  fake: 'Test provider',
  testHint: 'In the test environment only.',
  addTest: 'Add',
  validUntil: (day) => `This link is valid until ${day} and for one payment method.`,
  errorTitle: 'Please check your details',
  errors: {
    iban: 'This IBAN is not right. Please check the digits.',
    ibanArea: 'This account cannot be debited: it is outside the SEPA area.',
    holder: 'Please enter the name of the account holder.',
    consent: 'We cannot debit the account without your consent.',
    provider: 'The payment provider did not accept this. Please try again or choose another payment method.',
  },
  done: 'All set',
  doneText: (name) => (name ? `Your payment method “${name}” has been added.` : 'Your payment method has been added.'),
  pending: 'Almost there',
  pendingText: 'The payment provider is still checking your details. There is nothing else to do.',
  unfinished: 'Not finished yet',
  unfinishedText: 'You have not completed this at the payment provider.',
  failed: 'That did not work',
  failedText: 'The payment method was not added.',
  usedText: (name) =>
    `It was already used${name ? ` and has added “${name}”` : ''}. Ask the sender for a new one to pay in another way.`,
  gone: 'This link is no longer valid',
  goneText: 'It has expired or was already used. Ask the sender for a new one.',
  closeHint: 'You can close this page.',
  otherLanguage: 'Deutsch',
};

export type LinkLanguage = PageLanguage;
export const LINK_TEXTS: Readonly<Record<LinkLanguage, LinkTexts>> = { de, en };
