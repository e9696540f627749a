import { autoTopUpDisabledV1, topUpChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { scheduleDueMany, type TenantTx } from '@kontor/persistence';
import type { Books } from '../domain/customer-books/books.js';
import { type AutoTopUpRule, followIntent, learn, reducedWallets, type TopUp } from '../domain/top-ups/top-up.js';
import { AUTO_TOP_UP } from '../due-kinds.js';
import { autoTopUpRules } from './auto-top-up-rule.row.js';
import { topUps } from './top-up.row.js';
import { ruleDisabledEvent, topUpEvent } from './top-up-events.js';

/**
 * What a decision about money means for top-ups, in its transaction: those whose intent was settled end, their rules
 * learn from it, and rules whose balance fell below the threshold become due. Nothing is read where there is no top-up
 * and nothing was used of a wallet.
 */
export async function followTopUps(tx: TenantTx, books: Books): Promise<void> {
  const settled = [...books.changedIntents].filter((intent) => intent.topUpId !== null);
  if (settled.length > 0) {
    const rows = await topUps.where(tx, 'id = ANY ($2::uuid[]) ORDER BY id', [settled.map((intent) => intent.topUpId)]);
    const ended = rows.filter((topUp) => {
      const intent = settled.find(({ topUpId }) => topUpId === topUp.id);
      return intent !== undefined && followIntent(topUp, intent, books.now);
    });
    await saveEnded(tx, ended);
  }
  await findDueRules(tx, books);
}

/** Saves top-ups that have ended and publishes them; counts failures of their rules. */
export async function saveEnded(tx: TenantTx, ended: readonly TopUp[]): Promise<void> {
  if (ended.length === 0) return;
  for (const topUp of ended) topUp.version += 1;
  await topUps.save(tx, ended);
  await appendEvents(tx, topUpChangedV1, ended.map(topUpEvent));
  const automatic = ended.filter((topUp) => topUp.ruleId !== null);
  if (automatic.length === 0) return;
  const rules = await autoTopUpRules.where(tx, 'id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE', [
    automatic.map((topUp) => topUp.ruleId),
  ]);
  const disabled: [AutoTopUpRule, TopUp][] = [];
  for (const rule of rules) {
    rule.version += 1;
    for (const topUp of automatic)
      if (topUp.ruleId === rule.id && learn(rule, topUp, tx.now)) disabled.push([rule, topUp]);
  }
  await autoTopUpRules.save(tx, rules);
  await appendEvents(
    tx,
    autoTopUpDisabledV1,
    disabled.map(([rule, topUp]) => ruleDisabledEvent(rule, topUp.failReason)),
  );
}

async function findDueRules(tx: TenantTx, books: Books): Promise<void> {
  const reduced = reducedWallets(books);
  if (reduced.length === 0) return;
  const due = await tx.query<{ id: string }>(
    `SELECT r.id FROM auto_top_up_rule r JOIN unnest($2::uuid[], $3::text[], $4::bigint[]) AS w (customer_id,
      currency_code, balance_minor)
       ON r.customer_id = w.customer_id AND r.currency_code = w.currency_code
     WHERE r.tenant_id = $1 AND r.enabled AND w.balance_minor < r.threshold_minor`,
    [
      tx.tenantId,
      reduced.map((w) => w.customerId),
      reduced.map((w) => w.currencyCode),
      reduced.map((w) => w.balanceMinor.toString()),
    ],
  );
  await scheduleDueMany(
    tx,
    due.map(({ id }) => ({ kind: AUTO_TOP_UP, ref: id, dueAt: tx.now })),
  );
}
