import { DomainError, newUuid, notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { findCustomer } from '../customers/customer.read.js';
import { EntitlementRow } from '../db/entitlement.row.js';
import * as tables from '../db/tables.js';
import type { EntitlementSource } from '../domain/entitlements/entitlement-status.js';
import type { GrantDto } from './entitlement.dto.js';
import type { EntitlementJson } from './entitlement.schema.js';
import { knownEntitlement } from './entitlement.read.js';
import { keepFeatures, lockEntitlements } from './lock-entitlements.js';
import { saveEntitlements } from './publish-entitlements.js';
import { grantableFeature, refuseTooMany, validityOf, valueFor } from './read-grant.js';
import { representEntitlement } from './represent-entitlement.js';

/** To whom it is granted. */
export type Grantee = { readonly customer: string } | { readonly subscription: string } | { readonly item: string };

type Place = Pick<EntitlementRow, 'customerId' | 'subscriptionId' | 'subscriptionItemId'> & {
  source: EntitlementSource;
};

/** Grants by hand, disables and enables. */
@Injectable()
export class GrantEntitlement {
  constructor(private readonly database: Database) {}

  /**
   * @throws DomainError `not_found`, `unknown_reference`, `validation_failed`, `feature_archived`, `customer_archived`,
   * `subscription_ended`, `too_many_entitlements`
   */
  grant(tenantId: string, grantee: Grantee, body: GrantDto): Promise<EntitlementJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const place = await placeOf(tx, grantee);
      await keepFeatures(tx);
      const feature = await grantableFeature(tx, body.feature);
      refuseTooMany(await tables.entitlements.count(tx, place));
      const row = Object.assign(new EntitlementRow(), {
        tenantId,
        id: newUuid(),
        // The first version is the one that is announced.
        version: 0,
        featureId: feature.id,
        ...place,
        assignmentId: null,
        value: valueFor(feature, body.value),
        active: body.active ?? true,
        ...validityOf(body),
        endedAt: null,
        status: 'pending' as const,
        createdAt: tx.now,
        updatedAt: tx.now,
      } satisfies EntitlementRow);
      // Stored first, so that what its status follows from is read in one way only.
      await tables.entitlements.insert(tx, row);
      const known = await knownEntitlement(tx, row.id);
      await saveEntitlements(tx, { changed: [known] });
      return representEntitlement(known, tx.now);
    });
  }

  /** Disables by hand, or enables again; repeating it changes nothing. @throws DomainError `not_found` */
  setActive(tenantId: string, id: string, active: boolean): Promise<EntitlementJson> {
    return this.database.tenant(tenantId, async (tx) => {
      await lockEntitlements(tx, [id]);
      const row = await knownEntitlement(tx, id);
      if (row.active !== active) {
        row.active = active;
        await saveEntitlements(tx, { changed: [row] });
      }
      return representEntitlement(row, tx.now);
    });
  }
}

/** Locks what it is granted to, so that it does not end meanwhile. */
async function placeOf(tx: TenantTx, grantee: Grantee): Promise<Place> {
  if ('customer' in grantee) {
    const { id } = await findCustomer(tx, grantee.customer);
    const customer = await tables.customers.get(tx, id, { lock: 'update' });
    if (!customer) throw notFound('Customer');
    if (customer.status === 'STATUS_ARCHIVED')
      throw new DomainError('customer_archived', { detail: 'An archived customer is granted nothing.' });
    return { customerId: id, subscriptionId: null, subscriptionItemId: null, source: 'customer' };
  }
  const item = 'item' in grantee ? await tables.subscriptionItems.get(tx, grantee.item) : null;
  if ('item' in grantee && !item) throw notFound('Subscription item');
  const subscriptionId = item?.subscriptionId ?? (grantee as { subscription: string }).subscription;
  const subscription = await tables.subscriptions.get(tx, subscriptionId, { lock: 'update' });
  if (!subscription) throw notFound('Subscription');
  if (subscription.status === 'cancelled' || subscription.status === 'terminated')
    throw new DomainError('subscription_ended', { detail: `The subscription is ${subscription.status}.` });
  return {
    customerId: subscription.customerId,
    subscriptionId,
    subscriptionItemId: item?.id ?? null,
    source: item ? 'item' : 'subscription',
  };
}
