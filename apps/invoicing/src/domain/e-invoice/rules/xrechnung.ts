import { isValidIBAN } from 'ibantools';
import type { EInvoice } from '../e-invoice.js';
import { isLeitwegId } from '@kontor/kernel';
import type { Report } from './finding.js';

/** What German authorities ask for beyond the norm. @see KoSIT, XRechnung 3.0, BR-DE */
export function checkXRechnung(invoice: EInvoice, report: Report): void {
  const { seller, buyer, payment } = invoice;
  const needed: readonly (readonly [string, string, string, string, string, unknown])[] = [
    ['BR-DE-1', 'BG-16', 'paymentMethod', 'Die Zahlungsangaben', 'The payment instructions', payment],
    ['BR-DE-2', 'BG-6', 'seller.contact', 'Der Ansprechpartner des Verkäufers', "The seller's contact", seller.contact],
    ['BR-DE-3', 'BT-37', 'seller.address.city', 'Der Ort des Verkäufers', "The seller's city", seller.address.city],
    [
      'BR-DE-4',
      'BT-38',
      'seller.address.zip',
      'Die Postleitzahl des Verkäufers',
      "The seller's postcode",
      seller.address.zip,
    ],
    [
      'BR-DE-5',
      'BT-41',
      'seller.contact.name',
      'Der Name des Ansprechpartners',
      "The contact's name",
      seller.contact?.name,
    ],
    [
      'BR-DE-6',
      'BT-42',
      'seller.contact.phone',
      'Die Telefonnummer des Ansprechpartners',
      "The contact's telephone number",
      seller.contact?.phone,
    ],
    [
      'BR-DE-7',
      'BT-43',
      'seller.contact.email',
      'Die E-Mail-Adresse des Ansprechpartners',
      "The contact's e-mail address",
      seller.contact?.email,
    ],
    ['BR-DE-8', 'BT-52', 'invoiceAddress.city', 'Der Ort des Käufers', "The buyer's city", buyer.address.city],
    [
      'BR-DE-9',
      'BT-53',
      'invoiceAddress.zip',
      'Die Postleitzahl des Käufers',
      "The buyer's postcode",
      buyer.address.zip,
    ],
    ['BR-DE-15', 'BT-10', 'leitwegId', 'Die Leitweg-ID', 'The Leitweg-ID', invoice.buyerReference],
    ['PEPPOL-EN16931-R001', 'BT-23', 'eInvoiceType', 'Der Geschäftsprozess', 'The business process', invoice.process],
    [
      'PEPPOL-EN16931-R010',
      'BT-49',
      'customer.email',
      'Die elektronische Adresse des Käufers',
      "The buyer's electronic address",
      buyer.endpoint,
    ],
    [
      'PEPPOL-EN16931-R020',
      'BT-34',
      'seller.contact.email',
      'Die elektronische Adresse des Verkäufers',
      "The seller's electronic address",
      seller.endpoint,
    ],
  ];
  for (const [ruleId, location, field, de, en, value] of needed)
    if (!value) report({ ruleId, location, field, de: `${de} fehlt.`, en: `${en} is missing.` });
  if (payment?.debit && !payment.debit.creditorId)
    report({
      ruleId: 'BR-DE-30',
      location: 'BT-90',
      field: 'seller.creditorIdentifier',
      de: 'Zur Lastschrift fehlt die Gläubiger-ID.',
      en: 'A direct debit needs the creditor identifier.',
    });
  if (payment?.debit && !payment.debit.account)
    report({
      ruleId: 'BR-DE-31',
      location: 'BT-91',
      field: 'paymentMethod',
      de: 'Zur Lastschrift fehlt das belastete Konto.',
      en: 'A direct debit needs the account that is debited.',
    });
  if (invoice.paymentTerms?.includes('#SKONTO#') && !SKONTO.test(invoice.paymentTerms))
    report({
      ruleId: 'BR-DE-18',
      location: 'BT-20',
      field: 'dueDate',
      de: 'Die Skontoangabe folgt nicht der Vorschrift.',
      en: 'The discount terms do not follow the prescribed form.',
    });
  const warn = { severity: 'warning' } as const;
  if (invoice.typeCode === '384' && invoice.preceding.length === 0)
    report({
      ...warn,
      ruleId: 'BR-DE-26',
      location: 'BG-3',
      field: 'referencedInvoice',
      de: 'Eine Korrektur soll die korrigierte Rechnung nennen.',
      en: 'A correction should name the invoice that it corrects.',
    });
  if (payment?.code === '58' && payment.account && !isValidIBAN(payment.account.iban))
    report({
      ...warn,
      ruleId: 'BR-DE-19',
      location: 'BT-84',
      field: 'seller.bankAccount.iban',
      de: 'Das Konto ist keine IBAN.',
      en: 'The account is no IBAN.',
    });
  if (invoice.buyerReference && !isLeitwegId(invoice.buyerReference))
    report({
      ...warn,
      ruleId: 'LEITWEG-ID',
      location: 'BT-10',
      field: 'leitwegId',
      de: 'Die Leitweg-ID hat falsche Prüfziffern.',
      en: 'The check digits of the Leitweg-ID are wrong.',
    });
}

const SKONTO = /^([^#]*(#SKONTO#TAGE=\d+#PROZENT=\d+\.\d{2}(#BASISBETRAG=-?\d+\.\d{2})?#\n)?)*[^#]*$/;
