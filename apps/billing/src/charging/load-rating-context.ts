import type { Day } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { loadPrices } from '../catalogue/prices.js';
import { PAYERS } from '../customers/payers.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import type { Account, RatingContext } from '../domain/charging/rating-context.js';
import { pricePlansOf } from '../domain/subscriptions/planned-change.js';
import type { BillingSettings } from '../domain/settings/billing-settings.schema.js';
import { customerSettings, effectiveSettings } from '../domain/settings/billing-settings.js';
import { closingIdOf } from '../metering/closing-id.js';
import { tenantZone } from '../settings/tenant.js';
import { loadBilledCharges } from './load-billed-charges.js';
import { loadCorrections } from './load-corrections.js';
import { loadRecipients, RECIPIENT } from './load-recipients.js';
import { loadRoutes } from './load-routes.js';

/** Only subscriptions of which something falls due until a day, or just the named one. */
export type LoadScope = { readonly dueUntil: Day } | { readonly subscriptionId: string };

type StoredAccount = Omit<
  Account,
  'archived' | 'billingDisabled' | 'usageGraceHours' | 'createZeroInvoices' | 'corrections' | 'subscriptions'
> & {
  readonly status: string;
  readonly settings: Record<string, unknown>;
  /** Null: it pays for itself. */
  readonly payerSettings: Record<string, unknown> | null;
};

/** Loads billing accounts with all that rating looks at, in a constant number of queries, however many there are. */
@Injectable()
export class LoadRatingContext {
  constructor(private readonly replicas: Replicas) {}

  async execute(tx: TenantTx, customerIds: readonly string[], scope: LoadScope): Promise<RatingContext> {
    const accounts = await loadStoredAccounts(tx, customerIds);
    const corrections = (await loadCorrections(tx, customerIds)).filter(
      ({ subscriptionId }) => !('subscriptionId' in scope) || subscriptionId === scope.subscriptionId,
    );
    const correctedIds = corrections.map(({ subscriptionId }) => subscriptionId);
    const found = await loadSubscriptions(tx, customerIds, scope, correctedIds);
    const items = await tables.subscriptionItems.where(tx, 't.subscription_id = ANY($2::uuid[]) ORDER BY t.ranking', [
      found.map(({ id }) => id),
    ]);
    const billed = await loadBilledCharges(tx, found, items);
    const earlier = [...billed.values()].flat();
    const [prices, settings, recipients, zone, groups, plans, routeOf] = await Promise.all([
      loadPrices(tx, [
        ...items.flatMap(pricePlansOf),
        ...earlier.map((charge) => charge.pricePlanId),
        ...corrections.map(({ pricePlanId }) => pricePlanId),
      ]),
      tables.billingSettings.findOne(tx, {}),
      loadRecipients(tx, accounts, [
        ...earlier.map(({ recipientId }) => recipientId ?? null),
        ...corrections.map(({ recipientId }) => recipientId),
      ]),
      tenantZone(tx, this.replicas),
      tables.billingGroups.findByIds(tx, known(found.map((row) => row.billingGroupId))),
      tables.plans.findByIds(tx, known(found.map((row) => row.planId))),
      loadRoutes(tx, found),
    ]);
    const unitIds = [...items, ...corrections].map(({ pricePlanId }) => prices.productOf(pricePlanId).unitId);
    const tenantSettings = effectiveSettings(settings?.values ?? {});
    const correctionsOf = Map.groupBy(corrections, ({ customerId }) => customerId);
    const itemsOf = Map.groupBy(items, ({ subscriptionId }) => subscriptionId);
    const subscriptionsOf = Map.groupBy(found, ({ customerId }) => customerId);
    return {
      now: tx.now,
      tenantZone: zone,
      recipients,
      accounts: accounts.map(({ status, settings: overrides, payerSettings, ...account }) => ({
        ...account,
        archived: status === 'STATUS_ARCHIVED',
        ...billingOf(
          customerSettings(tenantSettings, overrides),
          payerSettings === null ? null : customerSettings(tenantSettings, payerSettings),
        ),
        corrections: correctionsOf.get(account.customerId) ?? [],
        subscriptions: (subscriptionsOf.get(account.customerId) ?? []).map((subscription) => ({
          subscription,
          items: itemsOf.get(subscription.id) ?? [],
        })),
      })),
      prices,
      groups: byId(groups),
      plans: byId(plans),
      units: byId(await tables.units.findByIds(tx, known(unitIds))),
      billed,
      routeOf,
      closingIdOf,
    };
  }
}

const loadStoredAccounts = (tx: TenantTx, customerIds: readonly string[]): Promise<StoredAccount[]> =>
  tx.query<StoredAccount>(
    `SELECT a.customer_id AS "customerId", a.version, a.charges_seq AS "chargesSeq",
       a.requested_run_id AS "requestedRunId", a.requested_date AS "requestedDate",
       ${RECIPIENT}, c.status, c.settings, c.customer_number AS "customerNumber",
       coalesce(c.company_name, nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.customer_number) AS name,
       coalesce(p2.id, p1.id, c.id) AS "payerId", coalesce(p2.settings, p1.settings) AS "payerSettings"
     FROM billing_account a
     CROSS JOIN LATERAL (SELECT * FROM customer WHERE tenant_id = a.tenant_id AND id = a.customer_id OFFSET 0) c
     ${PAYERS}
     WHERE a.tenant_id = $1 AND a.customer_id = ANY($2::uuid[])
     ORDER BY a.customer_id`,
    [tx.tenantId, customerIds],
  );

async function loadSubscriptions(
  tx: TenantTx,
  customerIds: readonly string[],
  scope: LoadScope,
  correctedIds: readonly string[],
): Promise<SubscriptionRow[]> {
  if ('subscriptionId' in scope) return tables.subscriptions.findByIds(tx, [scope.subscriptionId]);
  const due = `t.status IN ('active', 'cancelled') AND t.id = ANY (ARRAY(
       SELECT i.subscription_id FROM subscription_item i
       WHERE i.tenant_id = $1 AND i.customer_id = ANY($2::uuid[]) AND i.next_due_on <= $3))`;
  const order = 'ORDER BY t.customer_id, t.created_at, t.id';
  if (correctedIds.length === 0)
    return tables.subscriptions.where(tx, `${due} ${order}`, [customerIds, scope.dueUntil]);
  return tables.subscriptions.where(tx, `(${due} OR t.id = ANY($4::uuid[])) ${order}`, [
    customerIds,
    scope.dueUntil,
    correctedIds,
  ]);
}

/** Nothing is billed to a payer whose own billing is switched off, and its documents follow its own settings. */
const billingOf = (
  customer: BillingSettings,
  payer: BillingSettings | null,
): Pick<Account, 'billingDisabled' | 'usageGraceHours' | 'createZeroInvoices'> => ({
  billingDisabled: customer.billingDisabled || (payer?.billingDisabled ?? false),
  usageGraceHours: customer.usageGraceHours,
  createZeroInvoices: (payer ?? customer).createZeroInvoices,
});

const known = (ids: readonly (string | null)[]): string[] => ids.filter((id): id is string => id !== null);

const byId = <R extends { readonly id: string }>(rows: readonly R[]): Map<string, R> =>
  new Map(rows.map((row) => [row.id, row]));
