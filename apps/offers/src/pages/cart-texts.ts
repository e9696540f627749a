import type { PriceWords } from './price-table.js';

/** What the pages of a checkout say. */
export interface CartTexts extends PriceWords {
  readonly title: string;
  readonly lead: (seller: string) => string;
  readonly start: string;
  readonly sandbox: string;
  readonly order: string;
  readonly trial: (days: number) => string;
  readonly apply: string;
  readonly coupon: string;
  readonly contact: string;
  readonly email: string;
  readonly phone: string;
  readonly company: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly street: string;
  readonly houseNumber: string;
  readonly zip: string;
  readonly city: string;
  readonly country: string;
  readonly vatId: string;
  readonly vatIdStates: Readonly<Record<string, string>>;
  readonly optional: string;
  readonly recalculate: string;
  readonly pay: string;
  readonly ways: Readonly<Record<string, string>>;
  /** What is around the link to the terms. */
  readonly terms: (seller: string) => readonly [string, string];
  readonly termsLink: string;
  readonly withdrawalTitle: string;
  readonly withdrawal: string;
  readonly withdrawalLink: string;
  readonly privacyLink: string;
  readonly more: string;
  readonly accountHolder: string;
  readonly creditorIdentifier: string;
  readonly mandateReference: string;
  readonly stepTitle: string;
  readonly stepText: string;
  readonly stepButton: string;
  readonly declinedTitle: string;
  readonly declinedText: string;
  readonly declinedButton: string;
  readonly confirm: string;
  readonly doneTitle: string;
  readonly doneText: string;
  readonly busyTitle: string;
  readonly busyText: string;
  readonly expiredTitle: string;
  readonly expiredText: string;
  readonly unsoldTitle: string;
  readonly unsoldText: string;
  readonly goneTitle: string;
  readonly goneText: string;
  readonly goOn: string;
  readonly problems: Readonly<Record<string, string>>;
  readonly otherProblem: string;
}

const de: CartTexts = {
  title: 'Bestellung',
  lead: (seller) => `Sie bestellen bei ${seller}.`,
  start: 'Zur Bestellung',
  sandbox: 'Testumgebung: Es wird nichts bestellt und es fließt kein Geld.',
  order: 'Ihre Bestellung',
  trial: (days) => `Die ersten ${days} Tage sind kostenlos.`,
  what: 'Leistung',
  quantity: 'Menge',
  amount: 'Betrag',
  discount: 'Rabatt',
  net: 'Netto',
  tax: 'Umsatzsteuer',
  total: 'Gesamt',
  then: (interval) => `Danach ${interval}`,
  gross: 'inkl. Umsatzsteuer',
  byUse: (interval) => `nach Verbrauch ${interval} (netto)`,
  apply: 'Übernehmen',
  coupon: 'Gutschein',
  contact: 'Ihre Angaben',
  email: 'E-Mail-Adresse',
  phone: 'Telefon',
  company: 'Firma',
  firstName: 'Vorname',
  lastName: 'Nachname',
  street: 'Straße',
  houseNumber: 'Hausnummer',
  zip: 'Postleitzahl',
  city: 'Ort',
  country: 'Land',
  vatId: 'USt-IdNr.',
  vatIdStates: {
    valid: 'Die USt-IdNr. ist gültig.',
    invalid: 'Die USt-IdNr. ist ungültig; berechnet wird mit Umsatzsteuer.',
    unavailable: 'Die USt-IdNr. kann gerade nicht geprüft werden; berechnet wird mit Umsatzsteuer.',
  },
  optional: '(freiwillig)',
  recalculate: 'Angaben prüfen und Preis berechnen',
  pay: 'Zahlungsart',
  ways: {
    '': 'Wie vereinbart',
    bank_transfer: 'Überweisung nach Rechnung',
    sepa_debit: 'SEPA-Lastschrift',
    debit_provider: 'Lastschrift über einen Zahlungsanbieter',
    card_provider: 'Kreditkarte (auf der Seite des Kartenanbieters)',
    online_wallet_provider: 'Online-Wallet (auf der Seite des Anbieters)',
    testing: 'Testzahlung (gelingt)',
    fake_provider: 'Testanbieter',
  },
  terms: (seller) => ['Ich stimme den ', ` von ${seller} zu.`],
  termsLink: 'Allgemeinen Geschäftsbedingungen',
  more: 'Weitere Angaben',
  accountHolder: 'Kontoinhaber',
  creditorIdentifier: 'Gläubiger-Identifikationsnummer',
  mandateReference: 'Mandatsreferenz',
  withdrawalLink: 'Zur Widerrufsbelehrung',
  privacyLink: 'Hinweise zum Datenschutz',
  withdrawalTitle: 'Widerrufsrecht',
  withdrawal:
    'Verbraucher können den Vertrag binnen 14 Tagen ab Vertragsschluss ohne Angabe von Gründen widerrufen, durch eine ' +
    'eindeutige Erklärung an den Verkäufer. ' +
    'Für Leistungen, die auf Ihren Wunsch davor beginnen, ist ein angemessener Betrag zu zahlen.',
  confirm: 'Zahlungspflichtig bestellen',
  doneTitle: 'Vielen Dank für Ihre Bestellung',
  doneText: 'Die Rechnung erhalten Sie per E-Mail.',
  stepTitle: 'Noch ein Schritt',
  stepText: 'Ihre Bestellung ist eingegangen. Die Zahlung wartet auf Ihre Bestätigung.',
  stepButton: 'Zahlung bestätigen',
  declinedTitle: 'Die Zahlung wurde abgelehnt',
  declinedText: 'Ihre Bestellung ist eingegangen, aber noch nicht bezahlt. Sie müssen nicht erneut bestellen.',
  declinedButton: 'Anders bezahlen',
  busyTitle: 'Ihre Bestellung wird bearbeitet',
  busyText: 'Bitte laden Sie diese Seite in einer Minute noch einmal. Bestellen Sie nicht erneut.',
  expiredTitle: 'Dieser Warenkorb ist abgelaufen',
  expiredText: 'Bitte beginnen Sie Ihre Bestellung noch einmal.',
  unsoldTitle: 'Das wird nicht mehr verkauft',
  unsoldText:
    'Was unter diesem Link angeboten war, gibt es nicht mehr. Bitte fragen Sie den Verkäufer, was er Ihnen stattdessen anbietet.',
  goneTitle: 'Hier gibt es nichts zu bestellen',
  goneText: 'Der Link ist nicht oder nicht mehr gültig, oder alles ist verkauft.',
  goOn: 'Weiter',
  problems: {
    name: 'Bitte geben Sie E-Mail-Adresse, Telefon und Ihre Firma oder Ihren Vor- und Nachnamen ein.',
    address: 'Bitte geben Sie Straße, Postleitzahl und Ort ein.',
    terms: 'Bitte stimmen Sie den Bedingungen zu.',
    mandate: 'Bitte geben Sie Kontoinhaber und IBAN an und erteilen Sie das Mandat.',
    iban: 'Bitte prüfen Sie die IBAN: Sie stimmt nicht, oder sie liegt außerhalb des SEPA-Raums.',
    answers: 'Bitte füllen Sie alle weiteren Angaben aus.',
    total_changed: 'Ihr Warenkorb oder sein Preis hat sich geändert. Bitte prüfen Sie ihn noch einmal.',
    sold_out: 'Leider ist alles verkauft.',
    no_longer_sold: 'Das wird leider nicht mehr verkauft.',
    currency_mix: 'Diese Preise können nicht zusammen bestellt werden.',
    company_required: 'Bitte geben Sie Ihre Firma ein: Verkauft wird nur an Unternehmen.',
    coupon_exhausted: 'Dieser Gutschein ist aufgebraucht.',
    coupon_expired: 'Dieser Gutschein ist abgelaufen.',
    coupon_disabled: 'Dieser Gutschein gilt zurzeit nicht.',
    coupon_not_applicable: 'Dieser Gutschein gilt nicht für diese Bestellung.',
    coupon_not_allowed: 'Hier gelten keine Gutscheine.',
    unknown_reference: 'Diesen Gutschein gibt es nicht.',
    validation_failed: 'Bitte prüfen Sie Mengen und Angaben.',
    payment_method_refused: 'Diese Zahlungsart kann nicht verwendet werden.',
  },
  otherProblem: 'Das war nicht möglich. Bitte prüfen Sie Ihre Angaben und versuchen Sie es noch einmal.',
};

const en: CartTexts = {
  title: 'Order',
  lead: (seller) => `You order from ${seller}.`,
  start: 'Go to the order',
  sandbox: 'Test environment: nothing is ordered and no money moves.',
  order: 'Your order',
  trial: (days) => `The first ${days} days are free.`,
  what: 'Item',
  quantity: 'Quantity',
  amount: 'Amount',
  discount: 'Discount',
  net: 'Net',
  tax: 'VAT',
  total: 'Total',
  then: (interval) => `Then ${interval}`,
  gross: 'including VAT',
  byUse: (interval) => `by use, ${interval} (net)`,
  apply: 'Apply',
  coupon: 'Coupon',
  contact: 'Your details',
  email: 'E-mail address',
  phone: 'Telephone',
  company: 'Company',
  firstName: 'First name',
  lastName: 'Last name',
  street: 'Street',
  houseNumber: 'House number',
  zip: 'Postal code',
  city: 'City',
  country: 'Country',
  vatId: 'VAT id',
  vatIdStates: {
    valid: 'The VAT id is valid.',
    invalid: 'The VAT id is not valid; VAT is charged.',
    unavailable: 'The VAT id cannot be checked at present; VAT is charged.',
  },
  optional: '(optional)',
  recalculate: 'Check the details and compute the price',
  pay: 'How to pay',
  ways: {
    '': 'As agreed',
    bank_transfer: 'Bank transfer on invoice',
    sepa_debit: 'SEPA direct debit',
    debit_provider: 'Direct debit by a payment provider',
    card_provider: "Card (on the card provider's page)",
    online_wallet_provider: "Online wallet (on the provider's page)",
    testing: 'Test payment (succeeds)',
    fake_provider: 'Test provider',
  },
  terms: (seller) => ['I agree to the ', ` of ${seller}.`],
  termsLink: 'terms and conditions',
  more: 'More details',
  accountHolder: 'Account holder',
  creditorIdentifier: 'Creditor identifier',
  mandateReference: 'Mandate reference',
  withdrawalLink: 'More about the right of withdrawal',
  privacyLink: 'What we do with your data',
  withdrawalTitle: 'Right of withdrawal',
  withdrawal:
    'Consumers may withdraw from the contract within 14 days of its conclusion without giving a reason, by a clear statement to the seller. ' +
    'For services that begin earlier at your request, an appropriate amount is to be paid.',
  confirm: 'Order with obligation to pay',
  doneTitle: 'Thank you for your order',
  doneText: 'You will receive the invoice by e-mail.',
  stepTitle: 'One more step',
  stepText: 'We have your order. The payment waits for your confirmation.',
  stepButton: 'Confirm the payment',
  declinedTitle: 'The payment was declined',
  declinedText: 'We have your order, but it is not paid yet. You need not order again.',
  declinedButton: 'Pay another way',
  busyTitle: 'Your order is being processed',
  busyText: 'Please load this page again in a minute. Do not order again.',
  expiredTitle: 'This cart has expired',
  expiredText: 'Please begin your order again.',
  unsoldTitle: 'This is no longer sold',
  unsoldText: 'What was offered by this link is not available any more. Please ask the seller what else there is.',
  goneTitle: 'There is nothing to order here',
  goneText: 'The link is not valid, or not any more, or everything has been sold.',
  goOn: 'Continue',
  problems: {
    name: 'Please enter e-mail address, telephone, and your company or your first and last name.',
    address: 'Please enter street, postal code and city.',
    terms: 'Please agree to the terms.',
    mandate: 'Please enter account holder and IBAN, and give the mandate.',
    iban: 'Please check the IBAN: it is not right, or outside the SEPA area.',
    answers: 'Please fill in all further details.',
    total_changed: 'Your cart or its price has changed. Please check it again.',
    sold_out: 'Sorry, everything has been sold.',
    no_longer_sold: 'Sorry, this is no longer sold.',
    currency_mix: 'These prices cannot be ordered together.',
    company_required: 'Please enter your company: this is sold to companies only.',
    coupon_exhausted: 'This coupon is used up.',
    coupon_expired: 'This coupon has expired.',
    coupon_disabled: 'This coupon cannot be used at present.',
    coupon_not_applicable: 'This coupon is not for this order.',
    coupon_not_allowed: 'Coupons are not accepted here.',
    unknown_reference: 'There is no such coupon.',
    validation_failed: 'Please check quantities and details.',
    payment_method_refused: 'This way to pay cannot be used.',
  },
  otherProblem: 'That was not possible. Please check your details and try again.',
};

export const CART_TEXTS = { de, en } as const;
