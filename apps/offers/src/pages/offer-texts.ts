/** What the page of an offer says. */
export interface OfferTexts {
  readonly offer: string;
  readonly lead: (seller: string) => string;
  readonly validUntil: (day: string) => string;
  readonly what: string;
  readonly quantity: string;
  readonly amount: string;
  readonly discount: string;
  readonly net: string;
  readonly tax: string;
  readonly total: string;
  readonly firstInvoice: string;
  readonly then: (interval: string) => string;
  readonly gross: string;
  readonly sandbox: string;
  readonly optionsTitle: string;
  readonly optionsHint: string;
  readonly quantityOf: (name: string) => string;
  readonly bounds: (min: string | null, max: string | null) => string;
  readonly updateOptions: string;
  readonly asPdf: string;
  readonly decide: string;
  readonly clickHint: string;
  readonly clickConsent: (number: string) => string;
  readonly accept: string;
  readonly signHint: string;
  readonly signConsent: (number: string) => string;
  readonly name: string;
  readonly sign: string;
  readonly printHint: string;
  readonly readerHint: string;
  readonly waitsForOthers: string;
  readonly detailsTitle: string;
  readonly detailsHint: string;
  readonly company: string;
  readonly street: string;
  readonly houseNumber: string;
  readonly zip: string;
  readonly city: string;
  readonly vatId: string;
  readonly poNumber: string;
  readonly optional: string;
  readonly saveDetails: string;
  readonly signedTitle: string;
  readonly signedText: (day: string) => string;
  readonly expiredTitle: string;
  readonly expiredText: string;
  readonly goneTitle: string;
  readonly goneText: string;
  readonly problems: Readonly<Record<'consent' | 'name' | 'address' | 'choice' | 'changed' | 'turn' | 'other', string>>;
}

const de: OfferTexts = {
  offer: 'Angebot',
  lead: (seller) => `${seller} bietet Ihnen an:`,
  validUntil: (day) => `Gültig bis ${day}`,
  what: 'Leistung',
  quantity: 'Menge',
  amount: 'Betrag',
  discount: 'Rabatt',
  net: 'Netto',
  tax: 'Umsatzsteuer',
  total: 'Gesamt',
  firstInvoice: 'Erste Rechnung',
  then: (interval) => `Danach ${interval}`,
  gross: 'inkl. Umsatzsteuer',
  sandbox: 'Testumgebung: Dieses Angebot ist nicht verbindlich.',
  optionsTitle: 'Ihre Auswahl',
  optionsHint: 'Wählen Sie aus, was Sie möchten; die Preise werden dann neu berechnet.',
  quantityOf: (name) => `Menge: ${name}`,
  bounds: (min, max) => [min && `mindestens ${min}`, max && `höchstens ${max}`].filter(Boolean).join(', '),
  updateOptions: 'Auswahl übernehmen',
  asPdf: 'Als PDF herunterladen',
  decide: 'Angebot annehmen',
  clickHint: 'Mit der Annahme kommt der Vertrag zu den hier genannten Bedingungen zustande.',
  clickConsent: (number) => `Ich habe das Angebot ${number} gelesen und bin berechtigt, es anzunehmen.`,
  accept: 'Zahlungspflichtig annehmen',
  signHint: 'Ihr Name gilt als Ihre Unterschrift. Zeitpunkt, Adresse und Textfassung werden festgehalten.',
  signConsent: (number) => `Ich unterschreibe das Angebot ${number} und bin dazu berechtigt.`,
  name: 'Vor- und Nachname',
  sign: 'Zahlungspflichtig unterschreiben',
  printHint: 'Bitte drucken Sie das Angebot aus und senden Sie es unterschrieben zurück.',
  readerHint: 'Sie können dieses Angebot lesen; annehmen kann es jemand anderes.',
  waitsForOthers: 'Danke, Ihre Unterschrift liegt vor. Andere unterschreiben noch.',
  detailsTitle: 'Rechnungsadresse',
  detailsHint: 'Das Angebot ist unterschrieben. Wohin dürfen wir die Rechnungen schicken?',
  company: 'Firma',
  street: 'Straße',
  houseNumber: 'Hausnummer',
  zip: 'Postleitzahl',
  city: 'Ort',
  vatId: 'USt-IdNr.',
  poNumber: 'Bestellnummer',
  optional: '(freiwillig)',
  saveDetails: 'Rechnungsadresse speichern',
  signedTitle: 'Angebot angenommen',
  signedText: (day) => `Angenommen am ${day}. Das unterschriebene Angebot können Sie als PDF herunterladen.`,
  expiredTitle: 'Das Angebot ist abgelaufen',
  expiredText: 'Bitte wenden Sie sich an den Absender, wenn Sie noch interessiert sind.',
  goneTitle: 'Hier ist kein Angebot',
  goneText: 'Der Link ist nicht oder nicht mehr gültig. Bitte wenden Sie sich an den Absender.',
  problems: {
    consent: 'Bitte bestätigen Sie, dass Sie das Angebot gelesen haben.',
    name: 'Bitte geben Sie Ihren Namen ein.',
    address: 'Bitte geben Sie Straße, Postleitzahl und Ort ein.',
    choice: 'Diese Auswahl ist nicht möglich. Bitte prüfen Sie die Mengen.',
    changed: 'Das Angebot wurde inzwischen geändert. Bitte lesen Sie es noch einmal.',
    turn: 'Vor Ihnen muss noch jemand anderes unterschreiben.',
    other: 'Das war nicht möglich. Bitte laden Sie die Seite neu.',
  },
};

const en: OfferTexts = {
  offer: 'Offer',
  lead: (seller) => `${seller} offers you:`,
  validUntil: (day) => `Valid until ${day}`,
  what: 'Item',
  quantity: 'Quantity',
  amount: 'Amount',
  discount: 'Discount',
  net: 'Net',
  tax: 'VAT',
  total: 'Total',
  firstInvoice: 'First invoice',
  then: (interval) => `Then ${interval}`,
  gross: 'including VAT',
  sandbox: 'Test environment: this offer is not binding.',
  optionsTitle: 'Your selection',
  optionsHint: 'Choose what you want; the prices are computed again then.',
  quantityOf: (name) => `Quantity: ${name}`,
  bounds: (min, max) => [min && `at least ${min}`, max && `at most ${max}`].filter(Boolean).join(', '),
  updateOptions: 'Update the selection',
  asPdf: 'Download as PDF',
  decide: 'Accept the offer',
  clickHint: 'By accepting, you enter into the contract on the terms stated here.',
  clickConsent: (number) => `I have read offer ${number} and am entitled to accept it.`,
  accept: 'Accept with obligation to pay',
  signHint: 'Your name counts as your signature. Time, address and version of the text are recorded.',
  signConsent: (number) => `I sign offer ${number} and am entitled to do so.`,
  name: 'First and last name',
  sign: 'Sign with obligation to pay',
  printHint: 'Please print the offer and send it back with your signature.',
  readerHint: 'You can read this offer; somebody else can accept it.',
  waitsForOthers: 'Thank you, we have your signature. Others have yet to sign.',
  detailsTitle: 'Invoice address',
  detailsHint: 'The offer is signed. Where may we send the invoices?',
  company: 'Company',
  street: 'Street',
  houseNumber: 'House number',
  zip: 'Postal code',
  city: 'City',
  vatId: 'VAT id',
  poNumber: 'Purchase order number',
  optional: '(optional)',
  saveDetails: 'Save the invoice address',
  signedTitle: 'Offer accepted',
  signedText: (day) => `Accepted on ${day}. You can download the signed offer as PDF.`,
  expiredTitle: 'This offer has expired',
  expiredText: 'Please contact the sender if you are still interested.',
  goneTitle: 'There is no offer here',
  goneText: 'The link is not valid, or not any more. Please contact the sender.',
  problems: {
    consent: 'Please confirm that you have read the offer.',
    name: 'Please enter your name.',
    address: 'Please enter street, postal code and city.',
    choice: 'This selection is not possible. Please check the quantities.',
    changed: 'The offer was changed meanwhile. Please read it again.',
    turn: 'Somebody else has to sign before you.',
    other: 'That was not possible. Please load the page again.',
  },
};

export const OFFER_TEXTS = { de, en } as const;
export type OfferProblem = keyof OfferTexts['problems'];
