const PEOPLE = {
  elbe: { companyName: 'Backhaus Elbe GmbH', street: 'Elbchaussee', houseNumber: '12', zip: '22765', city: 'Hamburg', language: 'de' },
  kranz: { companyName: 'Kranz & Söhne KG', street: 'Lange Gasse', houseNumber: '3', zip: '93047', city: 'Regensburg', language: 'de' },
  city: { companyName: 'Stadt Neuenfeld, Kämmerei', street: 'Rathausplatz', houseNumber: '1', zip: '99999', city: 'Neuenfeld', language: 'de' },
  austria: {
    companyName: 'Alpenblick Seilbahnen GmbH', vatId: 'ATU12345675', countryCode: 'AT', street: 'Talstraße', houseNumber: '7', zip: '6020', city: 'Innsbruck',
    language: 'de',
  },
  france: {
    companyName: 'Boulangerie Lefèvre SARL', vatId: 'FR83404833048', countryCode: 'FR', street: 'rue des Écoles', houseNumber: '15', zip: '69002', city: 'Lyon',
    language: 'en',
  },
  switzerland: { companyName: 'Zürisee Treuhand AG', countryCode: 'CH', street: 'Seestrasse', houseNumber: '88', zip: '8002', city: 'Zürich', language: 'de' },
  america: {
    companyName: 'Harbor Freight Analytics Inc.', countryCode: 'US', street: 'Commercial Street', houseNumber: '210', zip: '04101', city: 'Portland',
    language: 'en', currencyCode: 'USD',
  },
};

const LEITWEG_ID = '04011000-1234512345-06';

/** Who pays before a reminder is due. */
const PUNCTUAL = ['elbe', 'austria', 'france', 'switzerland'];

const mail = (name) => `rechnung@${name}.example`;
const day = (month, of) => `2026-${String(month).padStart(2, '0')}-${String(of).padStart(2, '0')}T11:00:00.000Z`;

/** How a year of business goes in a tenant whose clock stands at the end of 2025. */
class Year {
  constructor(call, advance) {
    this.call = call;
    this.advance = advance;
    this.customers = {};
    this.documents = {};
  }

  async prepare() {
    const { call } = this;
    for (const [level, type, daysOverdue, amount] of [
      [1, 'reminder', 7, 0],
      [2, 'dunning', 10, 500],
      [3, 'dunning', 10, 1000],
    ])
      await call('POST', '/dunning/overdue-rules', {
        level, type, daysOverdue, dueInDays: 7, isEnabled: true, feeAmount: { amount, currencyCode: 'EUR' }, attachOriginalInvoice: level > 1,
      });
    for (const [name, fields] of Object.entries(PEOPLE))
      this.customers[name] = await call('POST', '/customers', { email: mail(name), ...fields });
    this.transfer = {};
    for (const [name, { id }] of Object.entries(this.customers))
      this.transfer[name] = (
        await call('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: id })
      ).paymentMethod.id;
    const product = async (name, fields) =>
      call('POST', '/price-plans', {
        product: (await call('POST', '/catalogue/products', { name, type: 'product' })).id,
        billingInterval: '1M', currencyCode: 'EUR', ...fields,
      });
    this.seats = await product('Arbeitsplatz', { type: 'per_unit', price: { amount: 1990 } });
    this.support = await product('Support', { type: 'flat_fee', price: { amount: 4900 } });
  }

  subscribe(name, quantity) {
    return this.call('POST', '/subscriptions', {
      customer: this.customers[name].id,
      name: 'Vertrag 2026',
      items: [{ pricePlan: this.seats.id, quantity }, { pricePlan: this.support.id }],
      activate: true,
    });
  }

  /** An invoice by hand, finalized. */
  async bill(name, positions, fields = {}) {
    const { id } = await this.call('POST', '/invoices', { customer: this.customers[name].id, positions, ...fields });
    return this.call('POST', `/invoices/${id}/finalize`);
  }

  pay(name, invoice, amount) {
    return this.call('POST', `/invoices/${invoice.id}/payments`, {
      paymentMethod: this.transfer[name],
      description: 'Überweisung',
      ...(amount === undefined ? {} : { amount }),
    });
  }

  async openOf(name) {
    const query = `customer=${this.customers[name].id}&type=TYPE_INVOICE&status=STATUS_UNPAID&order%5Bnumber%5D=asc&limit=100`;
    return (await this.call('GET', `/invoices?${query}`)).data;
  }

  async payAll(...names) {
    for (const name of names) for (const invoice of await this.openOf(name)) await this.pay(name, invoice);
  }
}

const work = (name, amount, more = {}) => ({ name, unitPrice: { amount, currencyCode: 'EUR' }, ...more });

/**
 * Plays the year: `call(method, path, body)` answers the body, `advance(to)` lets time pass. Returns the documents that the README
 * speaks of, by name. Fewer than twelve `months` end earlier: all that is special happens in the first three.
 */
export async function play(call, advance, months = 12) {
  const year = new Year(call, advance);
  const { documents } = year;
  await year.prepare();
  await advance(day(1, 1));
  await year.subscribe('elbe', '5');
  await year.subscribe('kranz', '2');
  await year.subscribe('austria', '12');
  await year.subscribe('france', '3');
  await year.subscribe('switzerland', '4');

  await advance(day(1, 20));
  await year.payAll(...PUNCTUAL);
  documents.authority = await year.bill('city', [work('Einrichtung', 9500, { quantity: '12.5' })], { leitwegId: LEITWEG_ID });
  documents.america = await year.bill(
    'america',
    [{ name: 'Data migration', unitPrice: { amount: 150_000, currencyCode: 'USD' }, serviceDateFrom: day(1, 5), serviceDateTo: day(1, 16) }],
    { currencyCode: 'USD' },
  );

  // A wrong invoice is cancelled, and issued again as it should have been.
  documents.wrong = await year.bill('elbe', [work('Schulung', 12_000, { quantity: '8' })]);
  documents.cancellation = await call('POST', `/invoices/${documents.wrong.id}/cancel`, { reason: 'incorrect' });
  documents.corrected = await year.bill('elbe', [work('Schulung', 12_000, { quantity: '6', discountPercentage: '10' })]);

  await advance(day(2, 5));
  await year.pay('city', documents.authority);
  await year.pay('america', documents.america);
  await year.payAll(...PUNCTUAL);

  // Two hours less were worked: credited in part, the rest is paid.
  documents.credited = await year.bill('austria', [work('Beratung', 11_000, { quantity: '10' }), work('Reisekosten', 24_350)]);
  documents.credit = await call('POST', `/invoices/${documents.credited.id}/credit`, {
    reason: 'order_change',
    disposition: 'none',
    positions: [{ id: documents.credited.positions[0].id, quantity: '2' }],
  });
  await year.pay('austria', documents.credited);

  // Paid, and refunded.
  documents.refunded = await year.bill('france', [work('Workshop', 80_000)]);
  await year.pay('france', documents.refunded);
  documents.refund = await call('POST', `/invoices/${documents.refunded.id}/refund`, {
    amount: { amount: 80_000, currencyCode: 'EUR' },
    paymentMethod: year.transfer.france,
    reason: 'Workshop entfallen',
  });
  // The bank has transferred it.
  await year.pay('france', documents.refund);

  // Kranz pays nothing: a reminder and two letters about the first invoice; then in parts, the fees last.
  for (const month of [2, 3]) {
    await advance(day(month, 20));
    await year.payAll(...PUNCTUAL);
  }
  const [dunned] = await year.openOf('kranz');
  documents.dunned = dunned;
  const letters = await call('GET', `/dunning/documents?customer=${year.customers.kranz.id}&limit=100`);
  documents.letters = letters.data.filter(({ invoice }) => invoice.id === dunned.id);
  await year.pay('kranz', dunned, 50);
  await year.pay('kranz', dunned, 30);
  await year.payAll('kranz');
  for (const { id } of letters.data) {
    const letter = await call('GET', `/invoices/${id}`);
    if (letter.status === 'STATUS_UNPAID') await year.pay('kranz', letter);
  }

  for (let month = 4; month <= months; month++) {
    await advance(day(month, 20));
    await year.payAll(...PUNCTUAL, 'kranz');
  }
  return documents;
}
