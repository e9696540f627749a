import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { servicePrincipal } from '@kontor/testing';
import { eur, position, reasonOf, type Tenant, World } from './support/world.js';

describe('cancellations and credit notes', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;
  const method = newUuid();

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customerId = (await tenant.customer()).id;
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const reduced = (change: object = {}) => position({ name: 'Buch', taxGroup: tenant.groups.reduced, ...change });
  /** Unpaid: 3 × 33.33 less 10 % at 19 %, 100.00 at 7 %. */
  const unpaid = async (...positions: object[]) => {
    const lines =
      positions.length > 0
        ? positions
        : [
            position({ quantity: '3', unitPrice: { amount: 3333, currencyCode: 'EUR' }, discountPercentage: '10' }),
            reduced(),
          ];
    const { id } = await tenant.draft(customerId, ...lines);
    return tenant.ok('POST', `/invoices/${id}/finalize`);
  };
  const paid = async (...positions: object[]) => {
    const { id } = await unpaid(...positions);
    return tenant.ok('POST', `/invoices/${id}/payments`, { paymentMethod: method, description: 'Überweisung' });
  };
  const credit = (id: string, body: object = {}) => tenant.send('POST', `/invoices/${id}/credit`, body);
  const eventsOf = async (id: string): Promise<Record<string, unknown>[]> => {
    const rows = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.finalizing.v1' AND aggregate_id = $1`,
      [id],
    );
    return rows.map((row) => JSON.parse(row.payload) as Record<string, unknown>);
  };

  it.each(['JPY', 'CLP'])(
    'parts of an invoice in %s are e-invoices, and together they are the invoice',
    async (currencyCode) => {
      const { id: customer } = await tenant.customer({ currencyCode });
      const price = { amount: 33_333_333, currencyCode };
      const lines = Array.from({ length: 12 }, () => position({ quantity: '1.5', unitPrice: price }));
      const { id } = await tenant.ok('POST', '/invoices', { customer, currencyCode, positions: lines });
      const invoice = await tenant.ok('POST', `/invoices/${id}/finalize`);
      const ids = (invoice.positions as { id: string }[]).map((line) => line.id);
      const credits = [];
      for (const part of [
        ids.map((line) => ({ id: line, quantity: '0.25' })),
        ids.map((line) => ({ id: line, quantity: '0.003' })),
        ids.slice(0, 6).map((line) => ({ id: line })),
      ])
        credits.push(await tenant.ok('POST', `/invoices/${id}/credit`, { reason: 'other', positions: part }));
      credits.push(await tenant.ok('POST', `/invoices/${id}/credit`, { reason: 'other' }));
      for (const total of ['netAmount', 'taxAmount', 'grossAmount'])
        expect(credits.reduce((sum, note) => sum + note[total].amount, 0)).toBe(-invoice[total].amount);
    },
  );

  it('a cancellation mirrors the invoice line by line and has a number of its own series', async () => {
    const invoice = await unpaid();
    const cancellation = await tenant.ok('POST', `/invoices/${invoice.id}/cancel`, {
      reason: 'incorrect',
      comment: 'Falscher Preis',
      disposition: 'none',
    });
    expect(cancellation).toMatchObject({
      type: 'TYPE_CANCEL',
      status: 'STATUS_UNPAID',
      referencedInvoice: { id: invoice.id },
      internalNote: 'Falscher Preis',
      netAmount: eur(-invoice.netAmount.amount),
      taxAmount: eur(-invoice.taxAmount.amount),
      grossAmount: eur(-invoice.grossAmount.amount),
      discountAmount: eur(-invoice.discountAmount.amount),
    });
    expect(cancellation.number).toMatch(/^ST-\d{4}-00001$/);
    expect(cancellation.positions).toHaveLength(2);
    for (const [index, line] of cancellation.positions.entries()) {
      const original = invoice.positions[index];
      expect(line).toMatchObject({
        name: original.name,
        quantity: `-${original.quantity}`,
        unitPrice: original.unitPrice,
        tax: original.tax,
        netAmount: eur(-original.netAmount.amount),
        taxAmount: eur(-original.taxAmount.amount),
        grossAmount: eur(-original.grossAmount.amount),
      });
    }
    expect(await tenant.ok('GET', `/invoices/${invoice.id}`)).toMatchObject({
      status: 'STATUS_CANCELLED',
      unpaidAmount: eur(0),
      cancellationDocument: { id: cancellation.id, number: cancellation.number },
    });
    expect((await tenant.notices(invoice.id)).at(-1)).toEqual({ type: 'invoice.canceled', status: 'STATUS_CANCELLED' });
    const [event] = await eventsOf(cancellation.id);
    expect(event).toMatchObject({
      type: 'TYPE_CANCEL',
      referencedInvoiceId: invoice.id,
      disposition: 'none',
      taxes: [
        { category: 'S', rate: '19', netAmount: eur(-8999), taxAmount: eur(-1710) },
        { category: 'S', rate: '7', netAmount: eur(-10000), taxAmount: eur(-700) },
      ],
    });
    const pdf = await tenant.send('GET', `/invoices/${cancellation.id}/pdf`);
    expect(pdf.status).toBe(200);
  });

  it('what payments reports about a cancelled invoice does not open it again', async () => {
    const { id } = await unpaid(position());
    await tenant.ok('POST', `/invoices/${id}/cancel`);
    await world.payments.report(id, { openAmount: eur(5000) });
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({
      status: 'STATUS_CANCELLED',
      unpaidAmount: eur(0),
    });
    await world.payments.report(id, { openAmount: eur(0), status: 'cancelled' });
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({
      status: 'STATUS_CANCELLED',
      unpaidAmount: eur(0),
    });
  });

  it('an invoice is cancelled once, also by sixteen at once, and a repeat with its key answers the same', async () => {
    const { id } = await paid(position());
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => tenant.send('POST', `/invoices/${id}/cancel`, {})),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(
      answers
        .filter((answer) => answer.status !== 201)
        .every((answer) => reasonOf(answer) === '422 invalid_status_transition'),
    ).toBe(true);
    const other = await unpaid(position());
    const headers = { 'Idempotency-Key': newUuid() };
    const first = await tenant.send('POST', `/invoices/${other.id}/cancel`, {}, headers);
    const again = await tenant.send('POST', `/invoices/${other.id}/cancel`, {}, headers);
    expect(again).toMatchObject({ status: 201, body: { id: (first.body as { id: string }).id } });
  });

  it('credits a position by quantity and by amount, and never more than is left', async () => {
    const invoice = await paid();
    const [line, book] = invoice.positions;
    const byQuantity = await tenant.ok('POST', `/invoices/${invoice.id}/credit`, {
      positions: [{ id: line.id, quantity: '1' }],
      reason: 'order_change',
      disposition: 'none',
    });
    expect(byQuantity).toMatchObject({
      type: 'TYPE_CREDIT',
      netAmount: eur(-3000),
      taxAmount: eur(-570),
      referencedInvoice: { id: invoice.id },
      positions: [{ quantity: '-1', unitPrice: { amount: 3333 }, netAmount: eur(-3333) }],
    });
    expect(byQuantity.number).toMatch(/^GS-/);
    const byAmount = await tenant.ok('POST', `/invoices/${invoice.id}/credit`, {
      positions: [{ id: book.id, amount: eur(2550) }],
    });
    expect(byAmount).toMatchObject({
      netAmount: eur(-2550),
      taxAmount: eur(-179),
      positions: [{ quantity: '-1', unitPrice: { amount: 2550 } }],
    });
    expect(reasonOf(await credit(invoice.id, { positions: [{ id: line.id, quantity: '2.001' }] }))).toBe(
      '422 credit_exceeds_rest',
    );
    expect(reasonOf(await credit(invoice.id, { positions: [{ id: book.id, amount: 74.51 }] }))).toBe(
      '422 credit_exceeds_rest',
    );
    const rest = await tenant.ok('POST', `/invoices/${invoice.id}/credit`);
    const gross = [invoice, byQuantity, byAmount, rest].reduce((sum, { grossAmount }) => sum + grossAmount.amount, 0);
    const tax = [invoice, byQuantity, byAmount, rest].reduce((sum, { taxAmount }) => sum + taxAmount.amount, 0);
    expect([gross, tax]).toEqual([0, 0]);
    expect(await credit(invoice.id)).toMatchObject({ status: 422, body: { reason: 'credit_exceeds_rest' } });
    expect((await tenant.notices(invoice.id)).filter(({ type }) => type === 'invoice.credited')).toHaveLength(3);
  });

  it('sixteen credits at once take no more than there is', async () => {
    const invoice = await paid(position());
    const body = { positions: [{ id: invoice.positions[0].id, amount: 15 }] };
    const answers = await Promise.all(Array.from({ length: 16 }, () => credit(invoice.id, body)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(6);
    const refused = answers.filter((answer) => answer.status !== 201);
    expect(refused.every((answer) => reasonOf(answer) === '422 credit_exceeds_rest')).toBe(true);
  });

  it('what cost nothing is cancelled, too: line by line, and nothing more of it is credited', async () => {
    const free = position({ quantity: '2', unitPrice: eur(0) });
    const { id } = await unpaid(free, reduced({ unitPrice: eur(0) }));
    const cancellation = await tenant.ok('POST', `/invoices/${id}/cancel`);
    expect(cancellation).toMatchObject({ type: 'TYPE_CANCEL', grossAmount: eur(0) });
    expect(cancellation.positions.map(({ quantity }: { quantity: string }) => Number(quantity))).toEqual([-2, -1]);
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({ status: 'STATUS_CANCELLED' });
    expect(reasonOf(await credit(id, { reason: 'other' }))).toBe('422 invalid_status_transition');
  });

  it('a cancellation after credits and refunds takes back what is left', async () => {
    const invoice = await paid(position(), reduced());
    await tenant.ok('POST', `/invoices/${invoice.id}/credit`, {
      positions: [{ id: invoice.positions[1].id, amount: 10 }],
    });
    await tenant.ok('POST', `/invoices/${invoice.id}/refund`, { amount: 50 });
    const cancellation = await tenant.ok('POST', `/invoices/${invoice.id}/cancel`);
    const { data } = await tenant.invoices(`&customer=${customerId}`);
    const kin = (
      data as unknown as { referencedInvoice: { id: string } | null; grossAmount: { amount: number } }[]
    ).filter((document) => document.referencedInvoice?.id === invoice.id);
    expect(kin).toHaveLength(3);
    expect(kin.reduce((sum, document) => sum + document.grossAmount.amount, 0)).toBe(-invoice.grossAmount.amount);
    expect(cancellation.grossAmount).toEqual(eur(-(11900 + 10700 - 1070 - 5000)));
  });

  it('what was credited is not refunded once more', async () => {
    const invoice = await paid(position());
    await tenant.ok('POST', `/invoices/${invoice.id}/credit`, {
      positions: [{ id: invoice.positions[0].id, amount: 40 }],
      disposition: 'none',
    });
    const refund = (amount: number) => tenant.send('POST', `/invoices/${invoice.id}/refund`, { amount });
    expect(reasonOf(await refund(71.41))).toBe('422 validation_failed');
    expect((await refund(71.4)).status).toBe(201);
    expect(reasonOf(await credit(invoice.id))).toBe('422 credit_exceeds_rest');
  });

  it('closing gives up the rest by kinds of tax; only unpaid invoices are closed', async () => {
    const invoice = await unpaid(position(), reduced());
    await tenant.ok('POST', `/invoices/${invoice.id}/credit`, { positions: [{ id: invoice.positions[1].id }] });
    const closed = await tenant.ok('PUT', `/invoices/${invoice.id}/close`, { reason: 'insolvent' });
    expect(closed).toMatchObject({ status: 'STATUS_CLOSED', unpaidAmount: eur(0), cancellationDocument: null });
    expect((await tenant.notices(invoice.id)).at(-1)).toEqual({ type: 'invoice.closed', status: 'STATUS_CLOSED' });
    const [row] = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.closed.v1' AND aggregate_id = $1`,
      [invoice.id],
    );
    expect(JSON.parse(row!.payload)).toMatchObject({
      reason: 'insolvent',
      taxes: [
        { rate: '19', netAmount: eur(10000), taxAmount: eur(1900) },
        { rate: '7', netAmount: eur(0), taxAmount: eur(0) },
      ],
    });
    for (const action of ['cancel', 'credit', 'refund'])
      expect(reasonOf(await tenant.send('POST', `/invoices/${invoice.id}/${action}`, {}))).toBe(
        '422 invalid_status_transition',
      );
    expect(reasonOf(await tenant.send('PUT', `/invoices/${invoice.id}/close`, {}))).toBe(
      '422 invalid_status_transition',
    );
    const settled = await paid(position());
    expect(reasonOf(await tenant.send('PUT', `/invoices/${settled.id}/close`, {}))).toBe(
      '422 invalid_status_transition',
    );
    // A payment of it went back.
    await world.payments.report(invoice.id, { status: 'cancelled', openAmount: eur(2000) });
    expect(await tenant.ok('GET', `/invoices/${invoice.id}`)).toMatchObject({
      status: 'STATUS_CLOSED',
      unpaidAmount: eur(2000),
    });
    expect(await tenant.ok('PUT', `/invoices/${invoice.id}/close`, {})).toMatchObject({ unpaidAmount: eur(0) });
  });

  it('gives up what is open again of a cancelled invoice, which stays cancelled; its tax is taken back already', async () => {
    const invoice = await paid(position());
    await tenant.ok('POST', `/invoices/${invoice.id}/cancel`, { reason: 'mistake' });
    const closing = () => tenant.send('PUT', `/invoices/${invoice.id}/close`, { reason: 'insolvent' });
    expect(reasonOf(await closing())).toBe('422 invalid_status_transition');
    // What was paid has gone out, and its payment went back.
    await world.payments.report(invoice.id, { status: 'cancelled', openAmount: eur(11900) });
    expect((await closing()).body).toMatchObject({ status: 'STATUS_CANCELLED', unpaidAmount: eur(0) });
    const [row] = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.closed.v1' AND aggregate_id = $1`,
      [invoice.id],
    );
    expect(JSON.parse(row!.payload)).toMatchObject({ taxes: [] });
  });

  it('keeps a customer from being anonymized while something of a closed invoice is open again', async () => {
    const { id: forgotten } = await tenant.customer();
    const billing = world.test.as(servicePrincipal(tenant.id, 'billing'));
    const obstacles = async () => (await billing('GET', `/internal/customers/${forgotten}/obstacles`)).body;
    const { id } = await tenant.draft(forgotten, position());
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    await tenant.ok('PUT', `/invoices/${id}/close`, { reason: 'insolvent' });
    expect(await obstacles()).toEqual({ obstacles: [] });
    await world.payments.report(id, { status: 'cancelled', openAmount: eur(5000) });
    expect(await obstacles()).toMatchObject({ obstacles: [{ code: 'open_invoices' }] });
    await tenant.ok('PUT', `/invoices/${id}/close`, {});
    expect(await obstacles()).toEqual({ obstacles: [] });
  });

  it('refuses what the transitions do not know', async () => {
    const draft = await tenant.draft(customerId);
    const cancelled = await unpaid(position());
    const cancellation = await tenant.ok('POST', `/invoices/${cancelled.id}/cancel`);
    for (const action of ['cancel', 'credit', 'refund']) {
      expect(reasonOf(await tenant.send('POST', `/invoices/${draft.id}/${action}`, {}))).toBe(
        '422 invalid_status_transition',
      );
      expect(reasonOf(await tenant.send('POST', `/invoices/${cancelled.id}/${action}`, {}))).toBe(
        '422 invalid_status_transition',
      );
      expect(reasonOf(await tenant.send('POST', `/invoices/${cancellation.id}/${action}`, {}))).toBe(
        action === 'refund' ? '422 invoice_not_refundable' : '422 invalid_document_type',
      );
      expect((await tenant.send('POST', `/invoices/${newUuid()}/${action}`, {})).status).toBe(404);
    }
  });

  it('a credit note made by mistake is cancelled once, and all of the invoice can be credited again', async () => {
    const invoice = await paid();
    const [line] = invoice.positions;
    const positions = [{ id: line.id, quantity: '1' }];
    const note = await tenant.ok('POST', `/invoices/${invoice.id}/credit`, { positions, disposition: 'none' });
    expect(reasonOf(await tenant.send('POST', `/invoices/${note.id}/cancel`, { disposition: 'wallet' }))).toBe(
      '422 validation_failed',
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.send('POST', `/invoices/${note.id}/cancel`, { reason: 'incorrect' })),
    );
    expect(answers.map(reasonOf).sort()).toEqual(['201 undefined', ...Array(7).fill('422 invalid_status_transition')]);
    const cancellation = answers.find(({ status }) => status === 201)!.body as unknown as {
      id: string;
      number: string;
    };
    expect(cancellation).toMatchObject({
      type: 'TYPE_CANCEL',
      referencedInvoice: { id: note.id },
      netAmount: eur(3000),
      taxAmount: eur(570),
      grossAmount: eur(3570),
      title: 'Storno',
      positions: [{ name: line.name, quantity: '1', unitPrice: { amount: 3333 }, netAmount: eur(3333) }],
    });
    expect(cancellation.number).toMatch(/^ST-/);
    expect(await tenant.ok('GET', `/invoices/${note.id}`)).toMatchObject({
      status: 'STATUS_CANCELLED',
      unpaidAmount: eur(0),
      cancellationDocument: { id: cancellation.id },
    });
    expect((await eventsOf(cancellation.id))[0]).toMatchObject({
      type: 'TYPE_CANCEL',
      referencedInvoiceId: note.id,
      grossAmount: eur(3570),
      disposition: null,
    });
    expect((await tenant.send('GET', `/invoices/${cancellation.id}/pdf`)).status).toBe(200);
    expect(reasonOf(await tenant.send('POST', `/invoices/${cancellation.id}/cancel`, {}))).toBe(
      '422 invalid_document_type',
    );
    const again = await tenant.ok('POST', `/invoices/${invoice.id}/credit`);
    expect(again.grossAmount).toEqual(eur(-invoice.grossAmount.amount));
    expect(reasonOf(await credit(invoice.id))).toBe('422 credit_exceeds_rest');
  });

  it('a credit note stands once what is left of its invoice is cancelled or refunded', async () => {
    const some = (invoice: { positions: { id: string }[] }) => [{ id: invoice.positions[0]!.id, amount: 10 }];
    const cancelled = await paid(position());
    const first = await tenant.ok('POST', `/invoices/${cancelled.id}/credit`, {
      positions: some(cancelled),
      disposition: 'none',
    });
    await tenant.ok('POST', `/invoices/${cancelled.id}/cancel`);
    expect(reasonOf(await tenant.send('POST', `/invoices/${first.id}/cancel`, {}))).toBe(
      '422 invalid_status_transition',
    );
    // At the same moment one of them comes first, and the other takes it into account.
    const invoice = await paid(position());
    const note = await tenant.ok('POST', `/invoices/${invoice.id}/credit`, {
      positions: some(invoice),
      disposition: 'none',
    });
    const [ofInvoice, ofNote] = await Promise.all(
      [invoice, note].map(({ id }) => tenant.send('POST', `/invoices/${id}/cancel`, {})),
    );
    expect(ofInvoice!.status).toBe(201);
    expect(['201 undefined', '422 invalid_status_transition']).toContain(reasonOf(ofNote!));
    const taken = (ofInvoice!.body as unknown as { grossAmount: { amount: number } }).grossAmount.amount;
    expect(taken).toBe(ofNote!.status === 201 ? -11900 : -11900 + 1190);
  });

  it('is mailed on demand, each time; not before it has a number, nor without an address', async () => {
    const { id } = await unpaid(position());
    for (const email of [undefined, 'chef@example.com'])
      expect((await tenant.ok('POST', `/invoices/${id}/send`, email ? { email } : {})).lastSentAt).not.toBeNull();
    const rows = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.send-requested.v1' AND aggregate_id = $1 ORDER BY id`,
      [id],
    );
    const requests = rows.map((row) => JSON.parse(row.payload) as { recipient: string; version: number });
    expect(requests.map(({ recipient }) => recipient)).toEqual(['rechnung@backhaus-elbe.example', 'chef@example.com']);
    expect(new Set(requests.map(({ version }) => version)).size).toBe(2);
    expect((await tenant.notices(id)).filter(({ type }) => type === 'invoice.sent')).toHaveLength(2);
    const draft = await tenant.draft(customerId);
    expect(reasonOf(await tenant.send('POST', `/invoices/${draft.id}/send`, {}))).toBe('422 invalid_status_transition');
    expect(reasonOf(await tenant.send('POST', `/invoices/${id}/send`, { email: 'nobody' }))).toBe(
      '422 validation_failed',
    );
    const silent = await tenant.customer({ email: '', invoiceEmail: null });
    const other = await tenant.draft(silent.id);
    await tenant.ok('POST', `/invoices/${other.id}/finalize`);
    expect(reasonOf(await tenant.send('POST', `/invoices/${other.id}/send`, {}))).toBe('422 recipient_missing');
  });

  it('refuses malformed requests and changes nothing', async () => {
    const invoice = await paid(position());
    const id = invoice.positions[0].id as string;
    const cases: [object, string][] = [
      [{ positions: [] }, '422 validation_failed'],
      [{ positions: [{ id, quantity: '1', amount: 1 }] }, '422 validation_failed'],
      [{ positions: [{ id: newUuid() }] }, '422 unknown_reference'],
      [{ positions: [{ id }, { id }] }, '422 validation_failed'],
      [{ positions: [{ id, amount: { amount: 1, currencyCode: 'USD' } }] }, '422 currency_mismatch'],
      [{ positions: [{ id, amount: 1.001 }] }, '422 validation_failed'],
      [{ positions: [{ id, amount: -1 }] }, '422 credit_exceeds_rest'],
      [{ positions: [{ id, quantity: 1 }] }, '400 invalid_request'],
      [{ positions: [{ id, price: 1 }] }, '400 unknown_field'],
      [{ disposition: 'cash' }, '422 validation_failed'],
      [{ reason: 'mood' }, '422 validation_failed'],
    ];
    for (const [body, expected] of cases)
      expect([body, reasonOf(await credit(invoice.id, body))]).toEqual([body, expected]);
    const plain = await world.tenant({ features: [] });
    const other = await plain.draft((await plain.customer()).id);
    await plain.ok('POST', `/invoices/${other.id}/finalize`);
    for (const action of ['cancel', 'credit'])
      expect(reasonOf(await plain.send('POST', `/invoices/${other.id}/${action}`, { disposition: 'wallet' }))).toBe(
        '403 feature_not_enabled',
      );
    expect((await plain.ok('GET', `/invoices/${other.id}`)).status).toBe('STATUS_UNPAID');
  });
});
