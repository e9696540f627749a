import { expect } from '@jest/globals';
import type { PlainModel } from './plain-model.js';
import { type Purse, sum } from './purse.js';
import { type Doc, statusOf } from './things.js';
import type { Real } from './real.js';

interface TransactionRow {
  id: string;
  doc: string;
  type: string;
  status: string;
  amount: number;
  refunded: string | null;
}

/**
 * Ids that the service made up are learned by the model: of collections, refunds, assignments and automatic top-ups.
 */
async function learnIds(model: PlainModel, real: Real): Promise<void> {
  for (const doc of model.docs.filter((doc) => doc.id === null)) {
    const known = model.docs.flatMap((doc) => doc.id ?? []);
    const [row] = await real.rows<{ id: string }>(
      `SELECT id FROM top_up WHERE tenant_id = $1 AND customer_id = $2 AND currency_code = $3 AND rule_id IS NOT NULL AND id <> ALL ($4::uuid[])`,
      [doc.purse.customer, doc.purse.currency, known],
    );
    doc.id = row?.id ?? 'an automatic top-up that was not started';
  }
  const unnamed = [...model.payments, ...model.refunds].filter((refund) => refund.id === null);
  const parts = model.lines.flatMap((line) =>
    line.parts.filter((part) => part.id === null).map((part) => ({ line, part })),
  );
  if (parts.length > 0) {
    const known = new Set(model.lines.flatMap((line) => line.parts.flatMap((part) => part.id ?? [])));
    const rows = await real.rows<{ id: string; line: string; doc: string; amount: string; payment: string }>(
      `SELECT id, bank_transaction_id AS line, invoice_id AS doc, amount_minor::int8 AS amount, transaction_id AS payment FROM bank_assignment
       WHERE tenant_id = $1 AND revoked_at IS NULL ORDER BY id`,
    );
    for (const { line, part } of parts) {
      const row = rows.find(
        (row) =>
          !known.has(row.id) && row.line === line.id && row.doc === part.doc.id && Number(row.amount) === part.amount,
      );
      if (!row)
        throw new Error(
          `nothing of the line ${line.amount} was assigned to ${part.doc.number}: ${part.amount} expected`,
        );
      known.add(row.id);
      part.id = row.id;
      if (part.payment) part.payment.id = row.payment;
    }
  }
  if (unnamed.some((item) => item.id === null)) {
    const known = new Set([...model.payments, ...model.refunds].flatMap((refund) => refund.id ?? []));
    const rows = await real.rows<TransactionRow>(
      `SELECT t.id, coalesce(i.invoice_id, i.top_up_id) AS doc, t.type, t.status, t.amount_minor::int8 AS amount, t.refunded_transaction_id AS refunded
       FROM payment_transaction t JOIN payment_intent i ON i.tenant_id = t.tenant_id AND i.id = t.intent_id
       WHERE t.tenant_id = $1 AND t.status = 'pending' ORDER BY t.id`,
    );
    for (const item of unnamed.filter(({ id }) => id === null)) {
      const refunded = 'payment' in item ? item.payment.id : null;
      const row = rows.find(
        (row) =>
          !known.has(row.id) &&
          row.doc === item.doc.id &&
          Number(row.amount) === item.amount &&
          row.refunded === refunded,
      );
      if (!row) throw new Error(`no gateway is asked for ${item.amount} of ${item.doc.number || 'a top-up'}`);
      known.add(row.id);
      item.id = row.id;
    }
  }
}

const nameOf = (doc: Doc): string => doc.number || `top-up ${doc.id}`;

/** Its credit, with what makes that special. */
const termsOf = (purse: Purse): { terms: string; rest: number }[] =>
  purse.lots
    .filter(({ rest }) => rest > 0)
    .map(({ rest, promotional, expires }) => ({
      rest,
      terms: [purse.customer, purse.currency, promotional ? 't' : 'f', expires].filter((it) => it !== null).join(' '),
    }));

/** The service shows what the model says, and its books hold. */
export async function compare(model: PlainModel, real: Real): Promise<void> {
  await learnIds(model, real);
  const [shown] = await real.rows<{
    docs: unknown;
    wallets: unknown;
    terms: unknown;
    lines: unknown;
    tops: unknown;
    rules: unknown;
  }>(
    `SELECT
       (SELECT json_object_agg(coalesce(invoice_id, top_up_id),
         json_build_array(open_minor, pending_minor, status, credit_applied_minor)) FROM payment_intent
         WHERE tenant_id = $1) AS docs,
       (SELECT json_object_agg(customer_id || ' ' || currency_code, balance_minor) FROM wallet
         WHERE tenant_id = $1 AND balance_minor <> 0) AS wallets,
       (SELECT json_object_agg(wallet, minor) FROM (
         SELECT concat_ws(' ', w.customer_id, w.currency_code, l.promotional, (extract(epoch FROM l.expires_at) * 1000)::int8) AS wallet,
           sum(l.remaining_minor)::int8 AS minor FROM wallet_lot l JOIN wallet w ON w.tenant_id = $1 AND w.id = l.wallet_id
         WHERE l.tenant_id = $1 AND l.remaining_minor > 0 GROUP BY 1) AS lots) AS terms,
       (SELECT json_object_agg(id, json_build_array(unassigned_minor, status)) FROM bank_transaction
         WHERE tenant_id = $1) AS lines,
       (SELECT json_object_agg(id, status) FROM top_up WHERE tenant_id = $1) AS tops,
       (SELECT json_object_agg(id, json_build_array(enabled, consecutive_failures)) FROM auto_top_up_rule
         WHERE tenant_id = $1) AS rules`,
  );
  const names = new Map(model.docs.map((doc) => [doc.id, nameOf(doc)]));
  const docs = Object.fromEntries(
    Object.entries((shown?.docs ?? {}) as object).map(([id, row]) => [names.get(id) ?? `unknown ${id}`, row]),
  );
  const untouched = (status: string): string =>
    /RECEIVED|SUGGESTIONS|MANUAL/.test(status) ? 'untouched' : status.replace('STATUS_', '');
  const lines = Object.entries((shown?.lines ?? {}) as Record<string, [number, string]>).map(([id, [rest, status]]) => [
    id,
    [rest, untouched(status)],
  ]);
  const tops = model.docs.filter((doc) => doc.kind === 'top_up');
  expect({
    docs,
    wallets: shown?.wallets ?? {},
    terms: shown?.terms ?? {},
    lines: Object.fromEntries(lines),
    tops: shown?.tops ?? {},
    rules: shown?.rules ?? {},
  }).toEqual({
    docs: Object.fromEntries(
      model.docs.map((doc) => [nameOf(doc), [doc.open, doc.pending, statusOf(doc), doc.credit]]),
    ),
    wallets: Object.fromEntries(
      model.purses.filter((p) => p.balance !== 0).map((p) => [`${p.customer} ${p.currency}`, p.balance]),
    ),
    terms: Object.fromEntries(
      [...Map.groupBy(model.purses.flatMap(termsOf), ({ terms }) => terms)].map(([terms, lots]) => [
        terms,
        sum(lots.map(({ rest }) => rest)),
      ]),
    ),
    lines: Object.fromEntries(model.lines.map((line) => [line.id, [line.rest, line.status]])),
    tops: Object.fromEntries(tops.map((doc) => [doc.id, doc.topUp])),
    rules: Object.fromEntries(
      model.purses.flatMap(({ rule }) => (rule ? [[rule.id, [rule.enabled, rule.failures]]] : [])),
    ),
  });
  expect(await real.tenant.broken()).toEqual([]);
}
