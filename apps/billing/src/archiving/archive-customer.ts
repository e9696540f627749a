import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import type { CustomerJson } from '../customers/customer.schema.js';
import { paysForOthers } from '../customers/payers.js';
import { lockCustomer, saveCustomer } from '../customers/customer-aggregate.js';
import { representCustomer } from '../customers/represent-customer.js';
import * as tables from '../db/tables.js';
import { cancel } from '../domain/subscriptions/cancel.js';
import { type LoadedAgreement, lockAccount, loadAgreements } from '../subscriptions/agreement.js';
import { SaveAgreement } from '../subscriptions/save-agreement.js';

/** What becomes of subscriptions that run without an end when their customer is archived. */
export const RUNNING_SUBSCRIPTIONS = ['refuse', 'cancel_next_possible', 'cancel_immediate'] as const;
export type RunningSubscriptions = (typeof RUNNING_SUBSCRIPTIONS)[number];

/** Active or paused, and nobody has declared their end. */
const RUNNING = { status: ['active', 'paused'], endsOn: null } as const;
const PORTION = 100;

/**
 * Archives a customer, who then gets no new subscriptions and invoices, or unarchives it. Repeating it changes nothing.
 * What its cancelled subscriptions owe or get back until they end is still billed.
 * @throws DomainError `not_found`; `customer_in_use` while subscriptions run that shall not be cancelled, or it gets the
 * invoices of its children;
 * `no_possible_cancellation_date`
 */
@Injectable()
export class ArchiveCustomer {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
    private readonly save: SaveAgreement,
  ) {}

  archive(tenantId: string, id: string, running: RunningSubscriptions): Promise<CustomerJson> {
    return this.become(tenantId, id, 'STATUS_ARCHIVED', (tx) => this.end(tx, id, running));
  }

  unarchive(tenantId: string, id: string): Promise<CustomerJson> {
    return this.become(tenantId, id, 'STATUS_ACTIVE', () => Promise.resolve());
  }

  private async become(
    tenantId: string,
    id: string,
    status: 'STATUS_ARCHIVED' | 'STATUS_ACTIVE',
    before: (tx: TenantTx) => Promise<void>,
  ): Promise<CustomerJson> {
    const { json, version } = await this.database.tenant(tenantId, async (tx) => {
      const aggregate = await lockCustomer(tx, id);
      const { customer } = aggregate;
      const archived = status === 'STATUS_ARCHIVED';
      if ((customer.status === 'STATUS_ARCHIVED') === archived) {
        return { json: representCustomer(customer, aggregate.addresses), version: customer.version };
      }
      await before(tx);
      customer.status = status;
      const saved = await saveCustomer(tx, aggregate, [
        { type: archived ? 'customer.archived' : 'customer.unarchived' },
      ]);
      return { json: saved, version: customer.version };
    });
    await this.freshness.copied('customer', tenantId, id, version);
    return json;
  }

  private async end(tx: TenantTx, customerId: string, running: RunningSubscriptions): Promise<void> {
    if (await paysForOthers(tx, customerId)) throw paysForChildren();
    await lockAccount(tx, customerId);
    if (running === 'refuse') return refuseRunning(tx, customerId);
    for (;;) {
      const portion = { orderBy: { id: 'asc' }, limit: PORTION, lock: 'update' } as const;
      const rows = await tables.subscriptions.find(tx, { customerId, ...RUNNING }, portion);
      if (rows.length === 0) return;
      const loaded = await loadAgreements(tx, this.replicas, rows);
      await this.save.executeMany(
        tx,
        loaded.map((before) => ({
          loaded: before,
          after: cancelled(before, tx.now, running),
          notices: [
            { type: 'subscription.cancelled', metadata: { reason: 'customer archived', confirmationEmail: false } },
          ],
        })),
      );
    }
  }
}

const cancelled = (
  { agreement, prices, zones }: LoadedAgreement,
  now: Date,
  running: Exclude<RunningSubscriptions, 'refuse'>,
): LoadedAgreement['agreement'] =>
  cancel(agreement, prices.priceOf, {
    now,
    zone: zones.customer,
    cancellationDateType: running === 'cancel_immediate' ? 'immediate' : 'next_possible',
    cancellationDate: null,
  });

const paysForChildren = (): DomainError =>
  new DomainError('customer_in_use', {
    detail: 'The customer gets the invoices of its children. set-parent with invoicesTo: self gives them their own.',
  });

/** @throws DomainError `customer_in_use` */
async function refuseRunning(tx: TenantTx, customerId: string): Promise<void> {
  if (!(await tables.subscriptions.exists(tx, { customerId, ...RUNNING }))) return;
  const message =
    'The customer has running subscriptions. runningSubscriptions says what shall happen to them: ' +
    'cancel_next_possible ends each with its contract, cancel_immediate ends all now.';
  throw new DomainError('customer_in_use', {
    detail: message,
    violations: [{ propertyPath: 'runningSubscriptions', message, code: 'customer_in_use' }],
  });
}
