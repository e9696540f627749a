import { describe, expect, it } from '@jest/globals';
import type { CustomerState, InvoiceState } from '@kontor/contracts';
import { customerChangedV1, invoiceChangedV1 } from '@kontor/contracts';
import { invoiceMailModel } from '../domain/invoice-mail/invoice-mail-model.js';
import { amountText } from '../domain/mails/wording.js';
import { renderTemplate } from '../mails/render-template.js';
import { INVOICE_TEMPLATES } from './invoice-template.js';

const invoice = invoiceChangedV1.example.state as InvoiceState;
const customer = customerChangedV1.example.state as CustomerState;
const seller = {
  company: 'Nordlicht <Software> GmbH',
  contact: { name: null, email: 'rechnung@nordlicht.example', phone: '+49 40 1' },
};
const mailOf = (changes: Partial<InvoiceState> = {}, who: Partial<CustomerState> = {}) => {
  const model = invoiceMailModel({ ...invoice, ...changes }, { ...customer, ...who }, seller);
  return renderTemplate(INVOICE_TEMPLATES[model.language], model);
};

describe('the mail with an invoice', () => {
  it('says how much and until when, in the customer’s zone', () => {
    const mail = mailOf();
    expect(mail.subject).toBe('Ihre Rechnung RE-2026-00001 von Nordlicht <Software> GmbH');
    expect(mail.text).toContain('Zu zahlen: 119,00\u00a0€');
    expect(mail.text).toContain('Fällig am: 14. März 2026');
    expect(mail.text).toContain('Guten Tag,');
  });

  it('escapes names in HTML only', () => {
    expect(mailOf().html).toContain('Nordlicht &lt;Software&gt; GmbH');
    expect(mailOf({}, { lastName: '<b>Tables</b>' }).html).not.toContain('<b>');
  });

  it('speaks English to everyone else, and calls people by name', () => {
    const mail = mailOf({ language: 'en' }, { firstName: 'Ada', lastName: 'Lovelace' });
    expect(mail.subject).toContain('Your invoice RE-2026-00001');
    expect(mail.text).toContain('Dear Ada Lovelace,');
    expect(mail.text).toContain('Amount due: €119.00');
    expect(mail.text).toContain('Due on: 14 March 2026');
  });

  it('a credit asks for nothing and is called a correction', () => {
    const mail = mailOf({
      grossAmount: { amount: -5938, currencyCode: 'EUR' },
      unpaidAmount: { amount: -5938, currencyCode: 'EUR' },
    });
    expect(mail.subject).toContain('Rechnungskorrektur');
    expect(mail.text).toContain('Ihr Guthaben: 59,38\u00a0€');
    expect(mail.text).not.toContain('Fällig');
  });

  it('a settled invoice asks for nothing', () => {
    const mail = mailOf({ unpaidAmount: { amount: 0, currencyCode: 'EUR' } });
    expect(mail.text).toContain('bereits beglichen');
    expect(mail.text).not.toContain('Fällig');
  });

  it.each(['STATUS_CANCELLED', 'STATUS_CLOSED'])('an invoice in %s need not be paid, and is not settled', (status) => {
    const mail = mailOf({ status, unpaidAmount: { amount: 0, currencyCode: 'EUR' } });
    expect(mail.text).toContain('nicht mehr zu zahlen');
    expect(mail.text).not.toContain('beglichen');
  });

  it('an invoice that is paid in part asks for the rest', () => {
    const mail = mailOf({ unpaidAmount: { amount: 6900, currencyCode: 'EUR' } });
    expect(mail.text).toContain('Zu zahlen: 69,00\u00a0€\nBereits beglichen: 50,00\u00a0€\nFällig am: 14. März 2026');
    expect(mail.html).toMatch(/Zu zahlen<\/div><div[^>]*>69,00\u00a0€/);
    expect(mailOf().text).not.toContain('Bereits beglichen');
  });

  it('a subject is one line, whatever the seller is called', () => {
    const model = invoiceMailModel(invoice, customer, { company: 'A\r\nBcc: x@example.com' });
    expect(renderTemplate(INVOICE_TEMPLATES.de, model).subject).not.toMatch(/[\r\n]/);
  });

  it.each([
    [1500, 'JPY', 'en', 'JP¥1,500'],
    [1_234_567, 'KWD', 'de', '1.234,567\u00a0KWD'],
    [9_007_199_254_740_991, 'EUR', 'de', '90.071.992.547.409,91\u00a0€'],
  ] as const)('%d %s in %s is %s', (amount, currencyCode, language, expected) =>
    expect(amountText({ amount, currencyCode }, language)).toBe(expected),
  );
});

describe('the mail with a document about an invoice', () => {
  it.each([
    ['TYPE_CANCEL', 'Stornierung Ihrer Rechnung: RE-2026-00001', 'Stornobetrag: 119,00\u00a0€'],
    ['TYPE_REFUND', 'Ihre Erstattung RE-2026-00001', 'Erstattungsbetrag: 119,00\u00a0€'],
    ['TYPE_CREDIT', 'Ihre Rechnungskorrektur RE-2026-00001', 'Ihr Guthaben: 119,00\u00a0€'],
  ])('of %s says what it is', (type, subject, amount) => {
    const mail = mailOf({
      type,
      grossAmount: { amount: -11900, currencyCode: 'EUR' },
      unpaidAmount: { amount: 0, currencyCode: 'EUR' },
    });
    expect(mail.subject).toContain(subject);
    expect(mail.text).toContain(amount);
    expect(mail.text).not.toContain('Zu zahlen');
  });

  it('of a cancelled credit note says that its money is owed again', () => {
    const mail = mailOf({ type: 'TYPE_CANCEL', unpaidAmount: { amount: 0, currencyCode: 'EUR' } });
    expect(mail.subject).toContain('Stornierung Ihrer Rechnungskorrektur: RE-2026-00001');
    expect(mail.text).toContain('Stornobetrag: 119,00\u00a0€');
    expect(mail.text).toContain('ist wieder zu zahlen');
    expect(mail.text).not.toContain('nicht mehr zu zahlen');
  });
});
