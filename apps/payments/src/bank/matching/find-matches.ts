import type { TenantTx } from '@kontor/persistence';
import type { Books } from '../../domain/customer-books/books.js';
import type { Intent } from '../../domain/customer-books/intent.js';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import { comparableNames } from '../../domain/bank/matching/customer-names.js';
import { type Findings, type NumberHit, type PayerHit, searchedText } from '../../domain/bank/matching/match-line.js';
import {
  isIdKey,
  isTopUpKey,
  looksLike,
  type Window,
  windowsOf,
} from '../../domain/bank/matching/reference-windows.js';
import { knownShapes } from './document-shapes.js';
import { findRecordedBy, findRecordedOn, type Recorded, type RecordedByPayer } from './find-recorded.js';
import { payerKeys } from '../lines/save-lines.js';

interface Named {
  readonly key: string;
  readonly intentId: string;
  readonly customerId: string;
  readonly isTopUp: boolean;
}

interface Paying {
  readonly kind: PayerHit['via'];
  readonly value: string;
  readonly intentId: string;
  readonly customerId: string;
}

interface Claimed {
  readonly namedId: string;
  readonly intentId: string;
  readonly customerId: string;
}

/** What the texts and payers of some lines point to, before anything is locked. */
export interface Candidates {
  readonly intentIds: readonly string[];
  readonly customerIds: readonly string[];
  /** Those among them whose wallet may get money. */
  readonly toppedUp: readonly string[];
  readonly named: ReadonlyMap<string, readonly Named[]>;
  /** What a dunning letter claims: the invoice and the fees of its letters, as far as they are open; by named document. */
  readonly claimed: ReadonlyMap<string, readonly Claimed[]>;
  readonly windows: ReadonlyMap<string, readonly Window[]>;
  readonly paying: ReadonlyMap<string, readonly Paying[]>;
  /** Payments recorded by hand, by their document and by payer. */
  readonly recordedOn: ReadonlyMap<string, readonly Recorded[]>;
  readonly recordedBy: ReadonlyMap<string, readonly RecordedByPayer[]>;
}

/** A customer with more open documents of the very amount is not a hint any more. */
const MAX_PER_PAYER = 20;

/** Looks up all lines in seven statements, however many they are. */
export async function findCandidates(tx: TenantTx, lines: readonly BankTransaction[]): Promise<Candidates> {
  const isLikeOurs = looksLike(await knownShapes(tx));
  const mayBeOurs = ({ key }: Window): boolean => isLikeOurs(key) || isIdKey(key) || isTopUpKey(key);
  const windows = new Map(lines.map((line) => [line.id, windowsOf(searchedText(line)).filter(mayBeOurs)]));
  const keys = new Set([...windows.values()].flatMap((found) => found.map((window) => window.key)));
  const named = groupBy(await findNamed(tx, keys), (row) => row.key);
  const unnamed = lines.filter((line) => !(windows.get(line.id) ?? []).some((window) => named.has(window.key)));
  const wanted = unnamed.flatMap((line) => hintsOf(line).map(([kind, value]) => ({ kind, value, line })));
  const paying = groupBy(await findPaying(tx, wanted), (row) => `${row.kind}/${row.value}`);
  const recordedOn = groupBy(await findRecordedOn(tx, [...named.values()].flat()), (row) => row.intentId);
  const recordedBy = groupBy(await findRecordedBy(tx, wanted), (row) => `${row.kind}/${row.value}`);
  const claimed = groupBy(await findClaimed(tx, [...named.values()].flat()), (row) => row.namedId);
  const all = [...named.values(), ...claimed.values(), ...paying.values(), ...recordedBy.values()].flat();
  return {
    named,
    claimed,
    windows,
    paying,
    recordedOn,
    recordedBy,
    intentIds: [...new Set(all.map((row) => row.intentId))],
    customerIds: [...new Set(all.map((row) => row.customerId))],
    toppedUp: [...new Set([...named.values()].flat().flatMap((row) => (row.isTopUp ? [row.customerId] : [])))],
  };
}

/**
 * Documents by their number, top-ups by their reference (looked up one by one: without statistics a list would read all documents), or by an id
 * that we had given the payer (our end-to-end ids are ids without dashes).
 */
async function findNamed(tx: TenantTx, keys: ReadonlySet<string>): Promise<Named[]> {
  const ids = [...keys].filter(isIdKey);
  const byNumber = await tx.query<Named>(
    `SELECT k.key, i.id AS "intentId", i.customer_id AS "customerId", i.invoice_id IS NULL AS "isTopUp"
     FROM unnest($2::text[]) AS k (key)
      CROSS JOIN LATERAL (
       SELECT id, customer_id, invoice_id FROM payment_intent
         WHERE tenant_id = $1 AND document_key = k.key OFFSET 0) i`,
    [tx.tenantId, [...keys]],
  );
  if (ids.length === 0) return byNumber;
  const byId = await tx.query<Named>(
    `SELECT upper(replace(k.id::text, '-', '')) AS key, i.id AS "intentId", i.customer_id AS "customerId",
       false AS "isTopUp"
     FROM unnest($2::uuid[]) AS k (id) CROSS JOIN LATERAL (
       SELECT id, customer_id FROM payment_intent WHERE tenant_id = $1 AND id = k.id AND invoice_id IS NOT NULL
       UNION SELECT id, customer_id FROM payment_intent WHERE tenant_id = $1 AND invoice_id = k.id
     ) i`,
    [tx.tenantId, ids],
  );
  return [...byNumber, ...byId];
}

/** The invoice comes first, then the fees, the oldest due first, as where a payment is recorded. */
async function findClaimed(tx: TenantTx, named: readonly Named[]): Promise<Claimed[]> {
  if (named.length === 0) return [];
  return tx.query<Claimed>(
    `SELECT n.id AS "namedId", c.id AS "intentId", c.customer_id AS "customerId"
     FROM (SELECT id, CASE WHEN document_type IN ${LETTERS} THEN referenced_invoice_id ELSE invoice_id END AS "invoiceId"
       FROM payment_intent WHERE tenant_id = $1 AND id = ANY ($2::uuid[])) n
     CROSS JOIN LATERAL (
       SELECT id, customer_id, due_at, document_number, 0 AS place FROM payment_intent
         WHERE tenant_id = $1 AND invoice_id = n."invoiceId" AND open_minor > 0
       UNION ALL SELECT id, customer_id, due_at, document_number, 1 FROM payment_intent
         WHERE tenant_id = $1 AND referenced_invoice_id = n."invoiceId" AND document_type IN ${LETTERS} AND open_minor > 0) c
     ORDER BY c.place, c.due_at, c.document_number`,
    [tx.tenantId, [...new Set(named.map(({ intentId }) => intentId))]],
  );
}

const LETTERS = `('TYPE_REMINDER', 'TYPE_DUNNING')`;

/** What a payer may be found by: an account or name that has paid before, or a customer's own name. */
const hintsOf = (line: BankTransaction): [PayerHit['via'], string][] => [
  ...payerKeys(line),
  ...comparableNames(line.counterpartyName ?? '').map((name): ['customer', string] => ['customer', name]),
];

/** Open documents of exactly the amount, of customers whom the payer's account or name points to. */
async function findPaying(
  tx: TenantTx,
  wanted: readonly { kind: PayerHit['via']; value: string; line: BankTransaction }[],
): Promise<Paying[]> {
  if (wanted.length === 0) return [];
  return tx.query<Paying>(
    `SELECT DISTINCT w.kind, w.value, i.id AS "intentId", p.customer_id AS "customerId"
     FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[]) AS w (kind, value, amount, currency)
     CROSS JOIN LATERAL (SELECT customer_id FROM bank_payer WHERE tenant_id = $1 AND kind = w.kind AND value = w.value
       ORDER BY customer_id LIMIT ${MAX_PER_PAYER}) p
     CROSS JOIN LATERAL (
       SELECT id FROM payment_intent WHERE tenant_id = $1 AND customer_id = p.customer_id
         AND status IN ('open', 'processing', 'failed')
         AND open_minor = w.amount AND currency_code = w.currency AND invoice_id IS NOT NULL
           ORDER BY id LIMIT ${MAX_PER_PAYER}
     ) i`,
    [
      tx.tenantId,
      wanted.map(({ kind }) => kind),
      wanted.map(({ value }) => value),
      wanted.map(({ line }) => line.unassignedMinor.toString()),
      wanted.map(({ line }) => line.currencyCode),
    ],
  );
}

/** What was found for one line, as its books say now: the customers are locked. */
export function findingsFor(candidates: Candidates, books: Books, line: BankTransaction): Findings {
  const numbers: NumberHit[] = (candidates.windows.get(line.id) ?? []).flatMap((window) =>
    (candidates.named.get(window.key) ?? []).map((row) => ({ ...window, intent: books.intent(row.intentId) })),
  );
  const payers: PayerHit[] = hintsOf(line).flatMap(([kind, value]) =>
    (candidates.paying.get(`${kind}/${value}`) ?? []).map((row) => ({ via: kind, intent: books.intent(row.intentId) })),
  );
  const mayShow = ({ cameBackOn, isPayout }: Recorded): boolean =>
    isPayout === line.amountMinor < 0n && (cameBackOn === null || line.bookingDate <= cameBackOn);
  const onNamed = numbers.flatMap(({ intent }) =>
    (candidates.recordedOn.get(intent.id) ?? [])
      .filter(mayShow)
      .map((row) => ({ ...row, intent, via: 'number' as const })),
  );
  const byPayer = hintsOf(line).flatMap(([kind, value]) =>
    (candidates.recordedBy.get(`${kind}/${value}`) ?? [])
      .filter(mayShow)
      .map((row) => ({ ...row, intent: books.intent(row.intentId), via: kind })),
  );
  const claimed = new Map(
    numbers.map(({ intent }) => [
      intent,
      (candidates.claimed.get(intent.id) ?? []).map((row) => books.intent(row.intentId)),
    ]),
  );
  const concerned = [...numbers, ...payers].map(({ intent }) => intent);
  // Of a top-up that is being collected, nobody expects other money: what waits of it is not replaced.
  const isMoving = (intent: Intent): boolean =>
    (intent.topUpId === null ? books.movingMinor(intent) : intent.pendingMinor) > 0n;
  const moving = new Set([...concerned, ...[...claimed.values()].flat()].filter(isMoving));
  return { numbers, payers, claimed, recorded: [...onNamed, ...byPayer], moving };
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
