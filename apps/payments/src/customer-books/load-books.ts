import type { CustomerState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import type { Replicas, TenantTx } from '@kontor/persistence';
import { Books } from '../domain/customer-books/books.js';
import type { Intent } from '../domain/customer-books/intent.js';
import type { Lot } from '../domain/customer-books/lots.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import type { Wallet } from '../domain/customer-books/wallet.js';
import { readCreditRules } from './read-credit-rules.js';
import { intents } from './intent.row.js';
import { lots } from './lot.row.js';
import type { BooksReactions } from './reactions.js';
import { wallets } from './wallet.row.js';

export interface BooksWanted {
  /** All customers concerned; locked by the caller. */
  readonly customerIds: readonly string[];
  /** Intents that the decision is about, settled ones too. */
  readonly intentIds?: readonly string[];
  /** Copies of customers that were read for this decision already. */
  readonly customers?: ReadonlyMap<string, CustomerState>;
  /** Customers whose wallet may receive credit: it may then pay whatever they have open. */
  readonly crediting?: readonly string[];
  readonly transactions?: readonly PaymentTransaction[];
  /** Money from the bank is booked: whose bank transfer it is has to be known. */
  readonly fromBank?: boolean;
  /** Lots that the decision is about, used up ones too; of wallets of these customers. */
  readonly lots?: readonly Lot[];
}

/**
 * Loads what a decision about these customers can need, in at most six statements however many customers there are.
 * Open intents and credit rules are read only where there is credit or may be, and what waits for the bank only where something is under way.
 */
export async function loadBooks(
  { replicas, reactions }: { readonly replicas: Replicas; readonly reactions: BooksReactions },
  tx: TenantTx,
  wanted: BooksWanted,
): Promise<Books> {
  const walletRows = await wallets.where(tx, 'customer_id = ANY ($2::uuid[])', [wanted.customerIds]);
  const funded = walletRows.filter((wallet) => wallet.balanceMinor > 0n);
  const crediting = [...new Set([...(wanted.crediting ?? []), ...funded.map((wallet) => wallet.customerId)])];
  const [intentRows, lotRows] = [
    await findIntents(tx, wanted.intentIds ?? [], crediting),
    await findLots(tx, funded, wanted.lots ?? []),
  ];
  const rules = await readCreditRules(replicas, tx, crediting, wanted.customers);
  const bankMethods = wanted.fromBank ? await findBankMethods(tx, wanted.customerIds) : undefined;
  const underWay = intentRows.filter(({ pendingMinor, payerMinor }) => pendingMinor > payerMinor);
  const unsent =
    underWay.length > 0
      ? await reactions.loadUnsent(
          tx,
          underWay.map(({ id }) => id),
        )
      : undefined;
  return new Books(tx.now, newUuid, {
    bankMethods,
    unsent,
    wallets: walletRows,
    lots: lotRows,
    intents: intentRows,
    rules,
    transactions: wanted.transactions,
  });
}

async function findIntents(tx: TenantTx, ids: readonly string[], crediting: readonly string[]): Promise<Intent[]> {
  const found = new Map<string, Intent>();
  if (ids.length > 0) for (const row of await intents.findByIds(tx, [...new Set(ids)])) found.set(row.id, row);
  if (crediting.length > 0) {
    const waiting = await intents.where(
      tx,
      `customer_id = ANY ($2::uuid[]) AND status IN ('open', 'processing', 'failed')`,
      [crediting],
    );
    for (const row of waiting) found.set(row.id, row);
  }
  return [...found.values()];
}

/** The bank transfer among each customer's methods: the default one, else the oldest. */
async function findBankMethods(tx: TenantTx, customerIds: readonly string[]): Promise<Map<string, string>> {
  if (customerIds.length === 0) return new Map();
  const rows = await tx.query<{ customerId: string; id: string }>(
    `SELECT DISTINCT ON (customer_id) customer_id AS "customerId", id
     FROM payment_method
     WHERE tenant_id = $1 AND customer_id = ANY ($2::uuid[]) AND deleted_at IS NULL AND gateway_name = 'bank_transfer'
     ORDER BY customer_id, is_default DESC, id`,
    [tx.tenantId, customerIds],
  );
  return new Map(rows.map(({ customerId, id }) => [customerId, id]));
}

async function findLots(tx: TenantTx, funded: readonly Wallet[], wanted: readonly Lot[]): Promise<Lot[]> {
  const found = new Map(wanted.map((lot) => [lot.id, lot]));
  if (funded.length > 0) {
    const usable = await lots.where(tx, 'wallet_id = ANY ($2::uuid[]) AND usable', [funded.map((wallet) => wallet.id)]);
    for (const lot of usable) if (!found.has(lot.id)) found.set(lot.id, lot);
  }
  return [...found.values()];
}
