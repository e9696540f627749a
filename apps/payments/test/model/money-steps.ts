import { expect } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import type { PlainModel } from './plain-model.js';
import { sum } from './purse.js';
import { planRefund, refundable } from './refund-plan.js';
import { meetRefunds, returned } from './returns.js';
import { DAY, type Doc, type Payment, type Refund, standing, statusOf } from './things.js';
import { ChangeIntentMethod } from '../../src/intents/change-intent-method.js';
import { pickFrom, type Situation, type Step } from './step.js';

const documents = (model: PlainModel): Doc[] => model.docs.filter((doc) => doc.kind !== 'top_up');
const undecided = (model: PlainModel): Payment[] => model.payments.filter(({ status }) => status === 'pending');
const refundableDocs = (model: PlainModel): Doc[] =>
  model.docs.filter((doc) => doc.kind === 'invoice' && leftToRefund(doc) > 0);
const wayOf = (method: string | null, { wallet, bank }: { wallet: string; bank: string }) =>
  method === wallet ? 'wallet' : method === bank ? 'bank' : 'as it was paid';
const leftToRefund = (doc: Doc): number => {
  const refunds = doc.purse.docs.filter((other) => other.of === doc).reduce((sum, other) => sum - other.amount, 0);
  return doc.amount - Math.max(doc.open, 0) - refunds;
};

/** One to three documents of a customer in one transaction: invoices, some to be collected, and credit notes. */
const finalize: Step = {
  name: 'finalize',
  async take({ model, real, purse, dice }) {
    const methods = real.methods.get(purse.customer)!;
    const requests = Array.from({ length: 1 + (dice.other % 3) }, (_, index) => {
      const isNote = (dice.pick + index) % 5 === 4;
      return {
        customerId: purse.customer,
        currency: purse.currency,
        gross: (dice.amount + 37 * index) * (isNote ? -1 : 1),
        number: model.nextNumber(),
        dueInDays: (dice.pick * (index + 1)) % 9,
        method: !isNote && dice.flag ? methods.gateway : null,
      };
    });
    const ids = await real.finalize(model.now, requests);
    requests.forEach((request, index) => {
      const doc = model.open(purse, {
        id: ids[index]!,
        kind: request.gross < 0 ? 'credit' : 'invoice',
        amount: request.gross,
        due: model.now + request.dueInDays * DAY,
        number: request.number,
        method: request.method ?? methods.bank,
      });
      if (request.gross < 0) return model.settleNote(doc);
      purse.apply();
      if (request.method) model.collect(doc);
    });
    model.documentsCame = true;
  },
};

/** Somebody reports money: a part, all, or too much; for what is owed to the customer, its pay-out. */
const pay: Step = {
  name: 'pay',
  can: (model) => documents(model).length > 0,
  async take({ model, real, dice }) {
    const owed = documents(model).filter((doc) => statusOf(doc) !== 'succeeded');
    const doc = pickFrom(owed.length > 0 && dice.other > 0 ? owed : documents(model), dice.pick);
    const { purse } = doc;
    const exact = dice.other % 4 === 1;
    const amount = exact ? Math.abs(doc.open) : dice.amount;
    const answer = await real.call(
      'POST',
      '/internal/payments/record',
      {
        operationId: newUuid(),
        invoiceId: doc.id,
        paymentMethodId: real.methods.get(purse.customer)!.bank,
        description: 'model',
        currencyCode: null,
        amount: exact ? null : { amount, currencyCode: purse.currency },
        feeAmount: null,
        paymentDate: null,
      },
      dice.flag,
    );
    if (statusOf(doc) === 'succeeded') return expect(answer.body.reason).toBe('invoice_not_unpaid');
    if (doc.amount < 0 && amount > -doc.open) return expect(answer.body.reason).toBe('validation_failed');
    expect(answer.status).toBe(200);
    // Lines that have come already may be this money.
    model.documentsCame = true;
    const { transactionId: id } = answer.body;
    if (doc.amount < 0) {
      doc.open += amount;
      model.payouts.push({ id, doc, amount, byGateway: false, status: 'succeeded', paidAt: 0, recorded: true });
      return;
    }
    const payment: Payment = { id, doc, amount, byGateway: false, status: 'pending', paidAt: 0, recorded: true };
    model.payments.push(payment);
    model.received(payment);
  },
};

/** The gateway's word, `times` at once; it changes something once at most. */
const reportOutcome = async (
  { real }: Situation,
  { id }: Payment | Refund,
  outcome: object,
  times = 1,
): Promise<void> => {
  const path = `/internal/payments/collections/${id}/outcome`;
  const answers = await Promise.all(Array.from({ length: times }, () => real.call('POST', path, { outcome }, true)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.filter(({ body }) => body.changed).length).toBeLessThanOrEqual(1);
};

/** A gateway's word on a collection, sometimes from three sides at once. */
const answerCollection: Step = {
  name: 'gateway answers',
  can: (model) => undecided(model).length > 0,
  async take(it) {
    const { model, dice } = it;
    const payment = pickFrom(undecided(model), dice.pick);
    const outcome = pickFrom(
      [
        { status: 'succeeded', reference: `r-${payment.id}` },
        { status: 'declined', reason: 'no' },
        { status: 'succeeded', reference: `r-${payment.id}` },
        { status: 'action_required', reference: `r-${payment.id}` },
      ],
      dice.other,
    );
    await reportOutcome(it, payment, outcome, dice.flag ? 3 : 1);
    payment.waits = outcome.status === 'action_required';
    if (payment.waits) payment.doc.purse.apply();
    if (outcome.status === 'declined') model.declined(payment);
    if (outcome.status !== 'succeeded') return;
    payment.doc.pending -= payment.amount;
    model.received(payment);
  },
};

/** Money arrives although the gateway had declined. */
const late: Step = {
  name: 'late success',
  can: (model, { pick }) => pick % 2 === 0 && model.payments.some(({ status }) => status === 'failed'),
  async take(it) {
    const payment = pickFrom(
      it.model.payments.filter(({ status }) => status === 'failed'),
      it.dice.pick,
    );
    await reportOutcome(it, payment, { status: 'succeeded', reference: `late-${payment.id}` });
    it.model.received(payment);
  },
};

const goBack: Step = {
  name: 'return',
  can: (model) => model.payments.some(({ status }) => status === 'succeeded'),
  async take({ model, real, dice }) {
    const known = model.payments.filter(
      ({ status }) => status === 'succeeded' || (dice.other === 0 && status !== 'pending'),
    );
    const payment = pickFrom(known, dice.pick);
    const feeAmount = { amount: dice.other * 10, currencyCode: payment.doc.purse.currency };
    // A statement line that paid several documents is one payment.
    const parts = model.payments.filter(({ id, status }) => id === payment.id && status === 'succeeded');
    const left = sum(parts.map(standing));
    const amount = dice.flag ? dice.amount : null;
    const answer = await real.call('POST', `/payment/transactions/${payment.id}/return`, {
      reason: 'model',
      ...(amount !== null && { amount: { amount, currencyCode: payment.doc.purse.currency } }),
      feeAmount,
    });
    if (payment.status !== 'succeeded') return expect(answer.body.reason).toBe('invalid_status_transition');
    if (amount !== null && amount > left) return expect(answer.body.reason).toBe('validation_failed');
    expect([answer.status, answer.body.amount.amount]).toEqual([201, amount ?? left]);
    returned(model, parts, amount ?? left);
    // What they have open again may be what a line is for.
    model.documentsCame = true;
  },
};

/** A refund document: back at the gateways that took the money, as credit, or waiting for its pay-out. */
const refund: Step = {
  name: 'refund',
  can: (model) => refundableDocs(model).length > 0,
  async take({ model, real, dice }) {
    const byGateway = refundableDocs(model).filter((doc) => refundable(model, doc).length > 0);
    const invoice = pickFrom(byGateway.length > 0 && dice.other > 4 ? byGateway : refundableDocs(model), dice.pick);
    const { purse } = invoice;
    const amount = dice.flag ? leftToRefund(invoice) : Math.min(dice.amount, leftToRefund(invoice));
    const methods = real.methods.get(purse.customer)!;
    const method = pickFrom([null, null, methods.gateway, methods.wallet, methods.bank], dice.other);
    const request = {
      customerId: purse.customer,
      currency: purse.currency,
      gross: -amount,
      type: 'TYPE_REFUND',
      number: model.nextNumber(),
      method,
      of: invoice.id,
    };
    const [id] = await real.finalize(model.now, [request]);
    const doc = model.open(purse, { id: id!, kind: 'refund', amount: -amount, number: request.number, of: invoice });
    model.documentsCame = true;
    planRefund(model, doc, wayOf(method, methods));
  },
};

const refundsThatStand = (model: PlainModel): Refund[] => model.refunds.filter(({ status }) => status !== 'failed');

/** A gateway's word on a refund; one that had succeeded bounces. */
const answerRefund: Step = {
  name: 'refund answered',
  can: (model) => refundsThatStand(model).length > 0,
  async take(it) {
    const refund = pickFrom(refundsThatStand(it.model), it.dice.pick);
    const { doc, amount } = refund;
    const declined = it.dice.other % 3 === 0;
    await reportOutcome(
      it,
      refund,
      declined ? { status: 'declined', reason: 'no' } : { status: 'succeeded', reference: `r-${refund.id}` },
    );
    if (refund.status === 'succeeded' && !declined) return;
    if (refund.status === 'pending') doc.pending -= amount;
    else doc.open -= amount;
    if (!declined) doc.open += amount;
    else doc.failed = true;
    refund.status = declined ? 'failed' : 'succeeded';
    if (declined && doc.of) meetRefunds(it.model, doc.of);
  },
};

/** Somebody reports that money which had gone out came back: a pay-out that was recorded, or a gateway's refund. */
const payoutBack: Step = {
  name: 'pay-out comes back',
  can: (model) => model.payouts.length + model.refunds.length > 0,
  async take({ model, real, dice }) {
    const all = [...model.payouts, ...model.refunds];
    const out = all.filter(({ status }) => status === 'succeeded');
    const payout = pickFrom(out.length > 0 && dice.other > 0 ? out : all, dice.pick);
    const feeAmount = { amount: dice.other * 10, currencyCode: payout.doc.purse.currency };
    const body = { reason: 'model', ...(dice.flag && { feeAmount }) };
    const answer = await real.call('POST', `/payment/transactions/${payout.id}/return`, body);
    if (payout.status !== 'succeeded') return expect(answer.body.reason).toBe('invalid_status_transition');
    expect([answer.status, answer.body.amount.amount]).toEqual([201, payout.amount]);
    payout.status = 'failed';
    payout.doc.open -= payout.amount;
    payout.doc.failed = true;
    if (payout.doc.of) meetRefunds(model, payout.doc.of);
    model.documentsCame = true;
  },
};

/** Another method is named for a document. */
const chooseMethod: Step = {
  name: 'method chosen',
  can: (model) => documents(model).some((doc) => statusOf(doc) !== 'succeeded'),
  async take({ model, real, dice }) {
    const unsettled = documents(model).filter((doc) => statusOf(doc) !== 'succeeded');
    const waiting = model.payments.filter(({ status, waits }) => status === 'pending' && waits).map(({ doc }) => doc);
    const doc = pickFrom(dice.flag ? [...waiting, ...unsettled] : unsettled, dice.pick);
    if (doc.kind === 'top_up') return;
    const methods = real.methods.get(doc.purse.customer)!;
    const method = pickFrom([methods.gateway, methods.bank, methods.wallet], dice.other);
    const { database, service } = real.tenant.world;
    await database.tenant(real.tenant.id, (tx) => service.get(ChangeIntentMethod).execute(tx, doc.id!, method));
    if (doc.amount > 0) return model.changeMethod(doc, method, method === methods.gateway);
    planRefund(model, doc, wayOf(method, methods));
  },
};

export const MONEY_STEPS: readonly Step[] = [
  ...[
    finalize,
    finalize,
    finalize,
    finalize,
    pay,
    pay,
    pay,
    answerCollection,
    answerCollection,
    answerCollection,
    answerCollection,
  ],
  ...[
    chooseMethod,
    chooseMethod,
    late,
    late,
    goBack,
    goBack,
    refund,
    refund,
    refund,
    answerRefund,
    answerRefund,
    answerRefund,
    payoutBack,
    payoutBack,
  ],
];
