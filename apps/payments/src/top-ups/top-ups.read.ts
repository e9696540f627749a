import { notFound } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { foreignCustomer, type ListQuery } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { requireWallet } from '../wallet/wallet-feature.js';
import { representRule, representTopUp } from './represent-top-up.js';
import { autoTopUpRules } from './auto-top-up-rule.row.js';
import { topUps } from './top-up.row.js';

type Customers = readonly string[] | null;

/** Lists are `{ items, count }`, newest first; `count` is the total. `customerIds` null: all of the tenant. */
@Injectable()
export class ReadTopUps {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  topUps(tenantId: string, customerIds: Customers, list: ListQuery) {
    return this.read(tenantId, async (tx) => {
      const { where, params, slice } = of(customerIds, list);
      const rows = await topUps.where(tx, `${where} ${slice}`, params);
      return { items: rows.map(representTopUp), count: await this.count(tx, 'top_up', where, params) };
    });
  }

  rules(tenantId: string, customerIds: Customers, list: ListQuery) {
    return this.read(tenantId, async (tx) => {
      const { where, params, slice } = of(customerIds, list);
      const rows = await autoTopUpRules.where(tx, `${where} ${slice}`, params);
      return { items: rows.map(representRule), count: await this.count(tx, 'auto_top_up_rule', where, params) };
    });
  }

  /** @throws DomainError `not_found`, 403 `foreign_customer`. */
  topUp(tenantId: string, id: string, ownCustomerId: string | null) {
    return this.read(tenantId, async (tx) => {
      const topUp = await topUps.get(tx, id);
      if (!topUp) throw notFound('The top-up');
      if (ownCustomerId !== null && topUp.customerId !== ownCustomerId) throw foreignCustomer();
      return representTopUp(topUp);
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
    table: 'top_up' | 'auto_top_up_rule',
    where: string,
    params: readonly unknown[],
  ): Promise<number> {
    const [row] = await tx.query<{ n: bigint }>(
      `SELECT count(*) AS n FROM ${table} WHERE tenant_id = $1 AND ${where}`,
      [tx.tenantId, ...params],
    );
    return Number(row?.n ?? 0);
  }
}

function of(customerIds: Customers, list: ListQuery) {
  const [only] = customerIds ?? [];
  const isSingle = customerIds?.length === 1;
  const params: unknown[] = customerIds === null ? [] : [isSingle ? only : customerIds];
  const ofCustomers = customerIds === null ? 'true' : isSingle ? 'customer_id = $2' : 'customer_id = ANY ($2::uuid[])';
  const { status } = list.filters;
  const where = status ? `${ofCustomers} AND status = ANY ($${params.push(status) + 1}::text[])` : ofCustomers;
  return {
    where,
    params,
    slice: `ORDER BY created_at DESC, id DESC LIMIT ${list.limit} OFFSET ${(list.page - 1) * list.limit}`,
  };
}
