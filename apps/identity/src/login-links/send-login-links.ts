import { Injectable } from '@nestjs/common';
import { type CustomerState, loginLinksMadeV1 } from '@kontor/contracts';
import type { CustomerId } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import {
  completeDue,
  Database,
  type DueBatch,
  DueHandler,
  type DueItem,
  Replicas,
  survivorsOf,
} from '@kontor/persistence';
import { purgeExpired } from '../accounts/purge-expired.js';
import { type LoginRequestRow, loginRequests } from '../db/login-request.row.js';
import { customerName } from './customer-name.js';
import { LOGIN_REQUEST, MAX_LINKS } from './login-link-life.js';
import { MakeLoginLinks } from './make-login-links.js';
import { NO_TENANT } from '../domain/no-tenant.js';

/** A customer that was created a moment ago may not have arrived here: one that is not found is looked for once more. */
const SECOND_LOOK_MS = 3_000;

interface Found {
  readonly tenantId: string;
  readonly id: string;
}

/** Makes the links that were asked for and has them mailed: one mail a tenant, with a link for each customer of the address. */
@Injectable()
@DueHandler({ kind: LOGIN_REQUEST })
export class SendLoginLinks {
  constructor(
    private readonly db: Database,
    private readonly replicas: Replicas,
    private readonly makeLinks: MakeLoginLinks,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      const request = await this.db.tenant(batch.tenantId, (tx) => loginRequests.get(tx, item.ref), { readOnly: true });
      const isKnown = request !== null && (await this.send(request));
      await this.end(batch.tenantId, item, isKnown ? null : request);
    }
    // Each of them is counted, also where no person signs in for days.
    await purgeExpired(this.db);
  }

  private async send(request: LoginRequestRow): Promise<boolean> {
    const found = await this.db.statement<Found>('SELECT tenant_id AS "tenantId", id FROM customers_by_email($1, $2)', [
      request.email,
      1_000,
    ]);
    const byTenant = Map.groupBy(found, ({ tenantId }) => tenantId);
    for (const [tenantId, customers] of byTenant) {
      if (request.tenantId !== NO_TENANT && request.tenantId !== tenantId) continue;
      await this.sendIn(
        tenantId,
        request,
        customers.slice(0, MAX_LINKS).map(({ id }) => id),
      );
    }
    return byTenant.has(request.tenantId) || (request.tenantId === NO_TENANT && byTenant.size > 0);
  }

  private async sendIn(tenantId: string, request: LoginRequestRow, customerIds: readonly string[]): Promise<void> {
    await this.db.tenant(tenantId, async (tx) => {
      // Who knows the address of a customer that was merged is led to who that is now.
      const survivors = await survivorsOf(tx, customerIds);
      const ids = [...new Set(customerIds.map((id) => survivors.get(id) ?? id))];
      const customers = await this.replicas.getMany<CustomerState>(tx, 'customer', ids);
      const asked = { id: request.id, interaction: request.interaction, at: request.createdAt };
      const { links, expiresAt } = await this.makeLinks.execute(tx, asked, [...customers.keys()]);
      if (links.length === 0) return;
      await appendEvent(tx, loginLinksMadeV1, {
        aggregateId: request.id,
        aggregateSeq: 1,
        payload: {
          requestId: request.id,
          links: links.map(({ customerId, link }) => ({
            customerId: customerId as CustomerId,
            name: customerName(customers.get(customerId)!),
            link,
          })),
          expiresAt: expiresAt.toISOString(),
        },
      });
    });
  }

  /** Done, and who asked is not kept; or once more a little later. */
  private async end(tenantId: string, item: DueItem, again: LoginRequestRow | null): Promise<void> {
    await this.db.tenant(tenantId, async (tx) => {
      const isFirstLook = again !== null && item.dueAt.getTime() <= again.createdAt.getTime();
      const next = isFirstLook ? new Date(again.createdAt.getTime() + SECOND_LOOK_MS) : null;
      await completeDue(tx, LOGIN_REQUEST, item, next);
      if (next === null) await loginRequests.delete(tx, { id: item.ref });
    });
  }
}
