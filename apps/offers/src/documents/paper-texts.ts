import type { PageLanguage } from '../pages/layout.js';
import type { BuyersEntry } from '../recipients/audit.row.js';

/** What documents about an offer say. */
export interface PaperTexts {
  readonly offer: string;
  readonly signedOffer: string;
  readonly auditLog: string;
  readonly number: string;
  readonly day: string;
  readonly customerNumber: string;
  readonly validUntil: string;
  readonly poNumber: string;
  readonly contact: string;
  readonly phone: string;
  readonly email: string;
  readonly version: (hash: string) => string;
  readonly signatures: string;
  readonly signedBy: (name: string) => string;
  readonly drawn: string;
  readonly typed: string;
  readonly at: (instant: string) => string;
  readonly from: (ip: string, agent: string) => string;
  readonly sign: readonly string[];
  readonly actions: Readonly<Record<BuyersEntry['action'], string>>;
  readonly auditLead: (number: string) => string;
}

const de: PaperTexts = {
  offer: 'Angebot',
  signedOffer: 'Angenommenes Angebot',
  auditLog: 'Protokoll zum Angebot',
  number: 'Angebotsnummer',
  day: 'Datum',
  customerNumber: 'Kundennummer',
  validUntil: 'Gültig bis',
  poNumber: 'Bestellnummer',
  contact: 'Ihr Kontakt',
  phone: 'Telefon',
  email: 'E-Mail',
  version: (hash) => `Fassung (SHA-256): ${hash}`,
  signatures: 'Annahme',
  signedBy: (name) => `Unterschrieben von ${name}`,
  drawn: 'Gezeichnete Unterschrift',
  typed: 'Name als Unterschrift eingegeben',
  at: (instant) => `Zeitpunkt: ${instant}`,
  from: (ip, agent) => `Von: ${[ip, agent].filter(Boolean).join(', ')}`,
  sign: ['Ort, Datum', 'Unterschrift'],
  actions: {
    options_chosen: 'Auswahl geändert',
    price_updated: 'Betrag dieses Tages ermittelt',
    accepted: 'Per Klick angenommen',
    signed: 'Unterschrieben',
    invoice_details_given: 'Rechnungsadresse angegeben',
    accepted_by_staff: 'Annahme vom Anbieter festgehalten',
    signing_cancelled: 'Unterschriften zurückgesetzt',
  },
  auditLead: (number) =>
    `Was auf dem Weg zur Annahme des Angebots ${number} geschah, in der Reihenfolge der Ereignisse.`,
};

const en: PaperTexts = {
  offer: 'Offer',
  signedOffer: 'Accepted offer',
  auditLog: 'Audit log of the offer',
  number: 'Offer number',
  day: 'Date',
  customerNumber: 'Customer number',
  validUntil: 'Valid until',
  poNumber: 'Purchase order',
  contact: 'Your contact',
  phone: 'Phone',
  email: 'E-mail',
  version: (hash) => `Version (SHA-256): ${hash}`,
  signatures: 'Acceptance',
  signedBy: (name) => `Signed by ${name}`,
  drawn: 'Drawn signature',
  typed: 'Name typed as a signature',
  at: (instant) => `Time: ${instant}`,
  from: (ip, agent) => `From: ${[ip, agent].filter(Boolean).join(', ')}`,
  sign: ['Place, date', 'Signature'],
  actions: {
    options_chosen: 'Selection changed',
    price_updated: 'Amount of that day computed',
    accepted: 'Accepted by a click',
    signed: 'Signed',
    invoice_details_given: 'Invoice address given',
    accepted_by_staff: 'Acceptance recorded by the seller',
    signing_cancelled: 'Signatures withdrawn',
  },
  auditLead: (number) => `What happened on the way to the acceptance of offer ${number}, in the order of events.`,
};

export const PAPER_TEXTS: Readonly<Record<PageLanguage, PaperTexts>> = { de, en };
