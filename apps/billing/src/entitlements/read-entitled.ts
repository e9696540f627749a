import { notFound, prepared } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import type { ListQuery } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { usageMetricsById } from '../catalogue/catalogue.read.js';
import type { CustomerRow } from '../db/customer.row.js';
import { notReplaced } from '../domain/entitlements/entitlement-status.js';
import type { CustomerEntitlementsJson, EntitledJson, UsageJson } from './entitlement.schema.js';
import { entitlementsOfCustomer, isListed } from './entitlement.read.js';
import { type MeasureContext, MeasureEntitlements } from './measure-entitlements.js';
import { type KnownEntitlement, representEntitlement } from './represent-entitlement.js';

/**
 * What a customer is entitled to now, by itself and with its subscriptions.
 * @see docs/rules/entitlements.md#what-holds
 */
@Injectable()
export class ReadEntitled {
  constructor(
    private readonly database: Database,
    private readonly measure: MeasureEntitlements,
  ) {}

  /** @throws DomainError `not_found`; 503 `usage_unavailable` */
  async execute(tenantId: string, customerId: string, list: ListQuery): Promise<CustomerEntitlementsJson> {
    const withUsage = list.others['includeUsage'] === 'true';
    const { rows, shown, context } = await this.database.tenant(
      tenantId,
      (tx) => read(tx, customerId, list, withUsage),
      // Metrics are known only when the entitlements are.
      { pipelined: true, atOnce: !withUsage },
    );
    const usage = context ? await this.measure.execute(rows, context) : new Map<string, UsageJson>();
    const data: EntitledJson[] = shown.map((json) => ({ ...json, usage: usage.get(json.id) ?? null }));
    return { data };
  }
}

const CUSTOMER = prepared('SELECT time_zone AS "timeZone" FROM customer WHERE tenant_id = $1 AND id = $2');

async function read(tx: TenantTx, customerId: string, list: ListQuery, withUsage: boolean) {
  const [[customer], all] = await Promise.all([
    tx.query<Pick<CustomerRow, 'timeZone'>>(CUSTOMER, [tx.tenantId, customerId]),
    entitlementsOfCustomer(tx, customerId),
  ]);
  if (!customer) throw notFound('Customer');
  const features = list.filters['feature'];
  const contenders = all
    .filter(({ featureId }) => !features || features.includes(featureId))
    .map((row) => ({ row, json: representEntitlement(row, tx.now) }))
    .map(({ row, json }) => ({ ...place(row), status: json.status, row, json }));
  const kept = notReplaced(contenders).filter(({ status }) => isListed(status, list));
  const rows = kept.map(({ row }) => row);
  const metrics = withUsage ? rows.flatMap(({ usageMetricId }) => usageMetricId ?? []) : [];
  const context: MeasureContext | null = withUsage
    ? {
        tenantId: tx.tenantId,
        now: tx.now,
        zone: customer.timeZone,
        metrics: await usageMetricsById(tx, metrics),
      }
    : null;
  return { rows, shown: kept.map(({ json }) => json), context };
}

const place = ({ featureId, source, subscriptionId, subscriptionItemId }: KnownEntitlement) => ({
  featureId,
  source,
  subscriptionId,
  subscriptionItemId,
});
