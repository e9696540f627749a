import { expect } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { BANK, line } from '../bank-world.js';
import { goesTheWayOf, isUnconfirmed, type PlainModel } from './plain-model.js';
import { returned } from './returns.js';
import type { Doc, Line } from './things.js';
import { pickFrom, type Step } from './step.js';

const documents = (model: PlainModel): Doc[] => model.docs.filter((doc) => doc.kind !== 'top_up');
const assignable = (model: PlainModel): Line[] =>
  model.lines.filter(({ status }) => status === 'untouched' || status === 'OUTSTANDING_AMOUNT');
const assigned = (model: PlainModel): Line[] => model.lines.filter(({ parts }) => parts.length > 0);
const openFor = (line: Line, doc: Doc): number => Math.max(line.amount > 0 ? doc.open : -doc.open, 0);

/** A line of a statement, which may name a document and have exactly its amount. */
const bring: Step = {
  name: 'bank line',
  async take({ model, real, purse, dice }) {
    const docs = documents(model).filter((doc) => doc.purse.currency === purse.currency);
    const waiting = [...model.payments, ...model.payouts].filter((it) => isUnconfirmed(it) && docs.includes(it.doc));
    const paid = waiting.length > 0 && dice.other % 3 === 1 ? pickFrom(waiting, dice.pick) : null;
    const named = paid?.doc ?? (docs.length > 0 && dice.pick % 3 > 0 ? pickFrom(docs, dice.pick) : null);
    const exact = named !== null && named.open !== 0 && dice.flag;
    const free = dice.amount * (dice.other % 5 === 0 ? -1 : 1);
    const amount = paid ? paid.amount * Math.sign(paid.doc.amount) : exact ? named.open : free;
    const reference = newUuid();
    const transaction = line({
      reference,
      amount: (amount / 100).toFixed(2),
      currencyCode: purse.currency,
      ...(named && { remittanceInformation: `Rechnung ${named.number}` }),
    });
    const body = { bankAccountId: real.accounts.get(purse.currency), transactions: [transaction] };
    const answer = await real.call('POST', `${BANK}/import`, body);
    expect([answer.status, answer.body.imported]).toEqual([201, 1]);
    if (dice.other % 4 === 1) expect((await real.tenant.call('POST', `${BANK}/import`, body)).body.duplicates).toBe(1);
    const [row] = await real.rows<{ id: string }>(
      'SELECT id FROM bank_transaction WHERE tenant_id = $1 AND reference = $2',
      [reference],
    );
    const made: Line = {
      id: row!.id,
      amount,
      currency: purse.currency,
      rest: amount,
      status: 'untouched',
      names: named,
      byHand: false,
      parts: [],
    };
    model.lines.push(made);
    model.match(made);
  },
};

/** To some documents in order, each up to what it has open; some with a cap. */
const assign: Step = {
  name: 'assign',
  can: (model) => assignable(model).length > 0 && documents(model).length > 0,
  async take({ model, real, dice }) {
    const line = pickFrom(assignable(model), dice.pick);
    const fitting = documents(model).filter((doc) => doc.purse.currency === line.currency && goesTheWayOf(line, doc));
    const owed = fitting.filter((doc) => openFor(line, doc) > 0);
    const pool = dice.other === 0 ? documents(model) : owed.length > 0 ? owed : documents(model);
    const docs = [
      ...new Set([0, 1, 2].slice(0, 1 + (dice.other % 3)).map((n) => pickFrom(pool, dice.pick + n * (1 + dice.other)))),
    ];
    const cap = dice.flag ? dice.amount : null;
    const answer = await real.call('POST', `${BANK}/${line.id}/assign-with-disposition`, {
      invoiceIds: docs.map(({ id }) => id),
      disposition: 'open',
      ...(cap !== null && { assignmentAmounts: { [docs[0]!.id!]: (cap / 100).toFixed(2) } }),
    });
    if (docs.some((doc) => !fitting.includes(doc)))
      return expect([answer.status, answer.body.reason]).toEqual([422, 'invoice_not_payable']);
    expect(answer.status).toBe(200);
    for (const doc of docs) {
      const size = Math.min(Math.abs(line.rest), openFor(line, doc), doc === docs[0] && cap !== null ? cap : Infinity);
      if (size > 0) model.assign(line, doc, line.amount > 0 ? size : -size);
    }
    if (line.rest !== 0) line.status = 'OUTSTANDING_AMOUNT';
    expect(answer.body).toMatchObject({
      unassignedAmount: line.rest,
      status: `STATUS_${line.status}`,
      disposedAmount: null,
      payoutId: null,
    });
  },
};

/** All of the remainder: the last invoice is overpaid, the excess becomes credit. */
const assignToWallet: Step = {
  name: 'assign to credit',
  can: (model) => assignable(model).length > 0 && model.docs.some(({ kind }) => kind === 'invoice'),
  async take({ model, real, dice }) {
    const lines = assignable(model).filter(({ amount }) => amount > 0 || dice.other === 0);
    const line = pickFrom(lines.length > 0 ? lines : assignable(model), dice.other);
    const all = model.docs.filter(({ kind }) => kind === 'invoice');
    const fitting = all.filter((doc) => doc.purse.currency === line.currency);
    const { purse } = pickFrom(fitting.length > 0 && dice.other !== 1 ? fitting : all, dice.amount);
    const invoices = purse.docs.filter(({ kind }) => kind === 'invoice');
    const docs = [...new Set([pickFrom(invoices, dice.pick), pickFrom(invoices, dice.other)])];
    const answer = await real.call('POST', `${BANK}/${line.id}/assign-with-disposition`, {
      invoiceIds: docs.map(({ id }) => id),
      disposition: 'credit_wallet',
    });
    if (line.amount < 0) return expect(answer.body.reason).toBe('non_positive_transaction');
    if (line.currency !== purse.currency) return expect(answer.body.reason).toBe('invoice_not_payable');
    expect(answer.status).toBe(200);
    const last = docs.at(-1)!;
    for (const doc of docs.slice(0, -1)) {
      const size = Math.min(line.rest, openFor(line, doc));
      if (size > 0) model.assign(line, doc, size);
    }
    const disposed = Math.max(line.rest - openFor(line, last), 0);
    if (line.rest > 0) model.assign(line, last, line.rest, true);
    expect(answer.body).toMatchObject({ unassignedAmount: 0, status: 'STATUS_BOOKED', disposedAmount: disposed });
  },
};

const unassign: Step = {
  name: 'unassign',
  can: (model) => assigned(model).length > 0,
  async take({ model, real, dice }) {
    const line = pickFrom(assigned(model), dice.pick);
    const part = pickFrom(line.parts, dice.other);
    const answer = await real.tenant.call('DELETE', `${BANK}/${line.id}/assignments/${part.id}`);
    const { payment } = part;
    if (payment && (payment.status !== 'succeeded' || (!part.confirms && payment.back)))
      return expect(answer.body.reason).toBe('invalid_status_transition');
    expect(answer.status).toBe(204);
    line.parts.splice(line.parts.indexOf(part), 1);
    line.rest += part.amount;
    line.byHand = true;
    line.status = line.rest === line.amount ? 'untouched' : 'OUTSTANDING_AMOUNT';
    if (part.confirms) part.payment!.line = null;
    else if (part.payment) returned(model, [part.payment]);
    else part.doc.open += part.amount;
  },
};

/** A person says yes to it that a line is the money of what was recorded. */
const confirm: Step = {
  name: 'confirm',
  can: (model) => assignable(model).some((line) => line.parts.length === 0 && line.names !== null),
  async take({ model, real, dice }) {
    const lines = assignable(model).filter((line) => line.parts.length === 0 && line.names !== null);
    const recorded = [...model.payments, ...model.payouts].filter(isUnconfirmed);
    const likely = lines.filter((line) =>
      recorded.some(({ doc, amount }) => doc === line.names && amount === Math.abs(line.rest)),
    );
    const line = pickFrom(likely.length > 0 ? likely : lines, dice.pick);
    const { suggestions } = await real.tenant.ok('GET', `${BANK}/${line.id}`);
    const best = suggestions.filter(({ score }: { score: number }) => score === suggestions[0].score);
    const ids: (string | undefined)[] = best.map(
      (suggestion: { confirmsTransactionId?: string }) => suggestion.confirmsTransactionId,
    );
    if (ids.length === 0 || ids.includes(undefined)) return;
    const answer = await real.tenant.call('PUT', `${BANK}/accept-suggestions`, { transactionIds: [line.id] });
    const payments = ids.flatMap((id) => recorded.find((payment) => payment.id === id) ?? []);
    if (payments.length < ids.length) return expect(answer.body.reason).toBe('no_suggestion');
    expect(answer.status).toBe(200);
    const sign = Math.sign(line.amount);
    expect(payments.reduce((sum, { amount }) => sum + sign * amount, 0)).toBe(line.rest);
    for (const payment of payments) {
      payment.line = line;
      line.parts.push({ id: null, doc: payment.doc, amount: sign * payment.amount, payment, confirms: true });
    }
    line.rest = 0;
    line.status = 'BOOKED';
  },
};

const ignore: Step = {
  name: 'ignore',
  can: (model, { flag }) => flag && model.lines.some(({ rest, amount }) => rest === amount),
  async take({ model, real, dice }) {
    const line = pickFrom(
      model.lines.filter(({ rest, amount }) => rest === amount),
      dice.pick,
    );
    const answer = await real.tenant.call('PUT', `${BANK}/ignore`, { transactionIds: [line.id] });
    expect(answer.status).toBe(200);
    line.status = 'IGNORED';
  },
};

export const BANK_STEPS: readonly Step[] = [
  bring,
  bring,
  bring,
  assign,
  assign,
  assign,
  assignToWallet,
  assignToWallet,
  unassign,
  unassign,
  confirm,
  confirm,
  ignore,
];
