import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import type { ListQuery } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { methods } from '../payment-methods/payment-method.row.js';
import { wallets } from '../customer-books/wallet.row.js';
import { walletTransactions } from '../customer-books/wallet-transaction.row.js';
import { representBalance } from '../customer-books/represent-balance.js';
import { representWalletTransaction } from './represent-wallet.js';
import { requireWallet } from './wallet-feature.js';

/** The wallets' lists: `{ items, count }`, where `count` is the total. `customerIds` null: all of the tenant. */
@Injectable()
export class ReadWallets {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  balances(tenantId: string, customerIds: readonly string[] | null, list: ListQuery) {
    return this.read(tenantId, async (tx) => {
      const rows = await wallets.where(tx, `${OF} ORDER BY customer_id, currency_code ${slice(list)}`, [customerIds]);
      return { items: rows.map(representBalance), count: await this.count(tx, 'wallet', customerIds) };
    });
  }

  transactions(tenantId: string, customerIds: readonly string[] | null, list: ListQuery) {
    return this.read(tenantId, async (tx) => {
      const rows = await walletTransactions.where(
        tx,
        `${OF} ORDER BY created_at DESC, sequence DESC, id DESC ${slice(list)}`,
        [customerIds],
      );
      const named = rows.flatMap((row) => row.origin.paymentMethodId ?? []);
      const origins = named.length > 0 ? await methods.findByIds(tx, named) : [];
      return {
        items: rows.map((row) =>
          representWalletTransaction(row, origins.find((method) => method.id === row.origin.paymentMethodId) ?? null),
        ),
        count: await this.count(tx, 'wallet_transaction', customerIds),
      };
    });
  }

  private read<T>(tenantId: string, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return this.database.tenant(tenantId, async (tx) => {
      await requireWallet(this.replicas, tx);
      return work(tx);
    });
  }

  private async count(
    tx: TenantTx,
    table: 'wallet' | 'wallet_transaction',
    customerIds: readonly string[] | null,
  ): Promise<number> {
    const [row] = await tx.query<{ n: bigint }>(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = $1 AND ${OF}`, [
      tx.tenantId,
      customerIds,
    ]);
    return Number(row?.n ?? 0);
  }
}

const OF = '($2::uuid[] IS NULL OR customer_id = ANY ($2::uuid[]))';
const slice = (list: ListQuery): string => `LIMIT ${list.limit} OFFSET ${(list.page - 1) * list.limit}`;
