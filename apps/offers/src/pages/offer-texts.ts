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
  readonly byUse: (interval: string) => string;
  readonly sandbox: string;
  readonly preview: string;
  readonly optionsTitle: string;
  readonly optionsHint: string;
  readonly quantityOf: (name: string) => string;
  readonly bounds: (min: string | null, max: string | null) => string;
  readonly updateOptions: string;
  readonly asPdf: string;
  readonly contact: string;
  readonly decide: string;
  readonly clickHint: string;
  readonly clickConsent: (number: string) => string;
  readonly accept: string;
  readonly signHint: string;
  readonly signConsent: (number: string) => string;
  readonly name: string;
  readonly signature: string;
  readonly typed: string;
  readonly drawn: string;
  readonly drawHint: string;
  readonly pad: string;
  readonly clear: string;
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
  readonly country: string;
  readonly vatId: string;
  readonly missing: string;
  readonly poNumber: string;
  readonly leitwegId: string;
  readonly ofAuthorities: string;
  readonly optional: string;
  readonly saveDetails: string;
  readonly signedTitle: string;
  readonly signedText: (day: string) => string;
  readonly expiredTitle: string;
  readonly expiredText: string;
  readonly goneTitle: string;
  readonly goneText: string;
  readonly problems: Readonly<
    Record<
      | 'consent'
      | 'name'
      | 'drawing'
      | 'address'
      | 'vatId'
      | 'leitwegId'
      | 'choice'
      | 'chosen'
      | 'changed'
      | 'total'
      | 'turn'
      | 'other',
      string
    >
  >;
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
  byUse: (interval) => `nach Verbrauch ${interval} (netto)`,
  preview: 'Vorschau: So sehen die Empfänger das Angebot, wenn es jetzt veröffentlicht wird.',
  sandbox: 'Testumgebung: Dieses Angebot ist nicht verbindlich.',
  optionsTitle: 'Ihre Auswahl',
  optionsHint: 'Wählen Sie aus, was Sie möchten; die Preise werden dann neu berechnet.',
  quantityOf: (name) => `Menge: ${name}`,
  bounds: (min, max) => [min && `mindestens ${min}`, max && `höchstens ${max}`].filter(Boolean).join(', '),
  updateOptions: 'Auswahl übernehmen',
  asPdf: 'Als PDF herunterladen',
  contact: 'Ihr Kontakt',
  decide: 'Angebot annehmen',
  clickHint: 'Mit der Annahme kommt der Vertrag zu den hier genannten Bedingungen zustande.',
  clickConsent: (number) => `Ich habe das Angebot ${number} gelesen und bin berechtigt, es anzunehmen.`,
  accept: 'Zahlungspflichtig annehmen',
  signHint: 'Mit Ihrer Unterschrift werden Zeitpunkt, Adresse und Textfassung festgehalten.',
  signConsent: (number) => `Ich unterschreibe das Angebot ${number} und bin dazu berechtigt.`,
  name: 'Vor- und Nachname',
  signature: 'Unterschrift',
  typed: 'Mein Name gilt als Unterschrift',
  drawn: 'Unterschrift zeichnen',
  drawHint: 'Zeichnen Sie mit Finger, Stift oder Maus.',
  pad: 'Feld für die gezeichnete Unterschrift',
  clear: 'Neu beginnen',
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
  country: 'Land',
  vatId: 'USt-IdNr.',
  missing: 'Bitte ausfüllen.',
  poNumber: 'Bestellnummer',
  leitwegId: 'Leitweg-ID',
  ofAuthorities: '(nur für Behörden)',
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
    drawing: 'Bitte zeichnen Sie Ihre Unterschrift in das Feld.',
    address: 'Bitte geben Sie Straße, Postleitzahl und Ort ein.',
    vatId: 'Bitte prüfen Sie die USt-IdNr.: Sie beginnt mit dem Land, zum Beispiel DE123456789.',
    leitwegId:
      'Bitte prüfen Sie die Leitweg-ID: Ihre letzten beiden Ziffern sind Prüfziffern, zum Beispiel 04011000-1234512345-06.',
    choice: 'Diese Auswahl ist nicht möglich. Bitte prüfen Sie die Mengen.',
    chosen: 'Ihre Auswahl hat den Preis geändert. Bitte prüfen Sie ihn, und bestätigen Sie noch einmal.',
    changed: 'Das Angebot wurde inzwischen geändert. Bitte lesen Sie es noch einmal.',
    total:
      'Mit diesen Angaben gilt eine andere Steuer. Bitte prüfen Sie den neuen Betrag, und bestätigen Sie noch einmal.',
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
  byUse: (interval) => `by use, ${interval} (net)`,
  preview: 'Preview: this is what recipients see when the offer is published now.',
  sandbox: 'Test environment: this offer is not binding.',
  optionsTitle: 'Your selection',
  optionsHint: 'Choose what you want; the prices are computed again then.',
  quantityOf: (name) => `Quantity: ${name}`,
  bounds: (min, max) => [min && `at least ${min}`, max && `at most ${max}`].filter(Boolean).join(', '),
  updateOptions: 'Update the selection',
  asPdf: 'Download as PDF',
  contact: 'Your contact',
  decide: 'Accept the offer',
  clickHint: 'By accepting, you enter into the contract on the terms stated here.',
  clickConsent: (number) => `I have read offer ${number} and am entitled to accept it.`,
  accept: 'Accept with obligation to pay',
  signHint: 'With your signature, time, address and version of the text are recorded.',
  signConsent: (number) => `I sign offer ${number} and am entitled to do so.`,
  name: 'First and last name',
  signature: 'Signature',
  typed: 'My name is my signature',
  drawn: 'Draw my signature',
  drawHint: 'Draw with a finger, a pen or the mouse.',
  pad: 'Box to draw the signature in',
  clear: 'Start again',
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
  country: 'Country',
  vatId: 'VAT id',
  missing: 'Please fill in.',
  poNumber: 'Purchase order number',
  leitwegId: 'Leitweg-ID',
  ofAuthorities: '(German authorities only)',
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
    drawing: 'Please draw your signature in the box.',
    address: 'Please enter street, postal code and city.',
    vatId: 'Please check the VAT id: it begins with the country, such as DE123456789.',
    leitwegId: 'Please check the Leitweg-ID: its last two digits are check digits, as in 04011000-1234512345-06.',
    choice: 'This selection is not possible. Please check the quantities.',
    chosen: 'Your selection has changed the price. Please check it, then confirm once more.',
    changed: 'The offer was changed meanwhile. Please read it again.',
    total: 'With these details, another tax is due. Please check the new total, then confirm once more.',
    turn: 'Somebody else has to sign before you.',
    other: 'That was not possible. Please load the page again.',
  },
};

export const OFFER_TEXTS = { de, en } as const;
export type OfferProblem = keyof OfferTexts['problems'];
