import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { type LoginLinkRow, loginLinks } from '../db/login-link.row.js';
import { tenants } from '../db/tenant.row.js';
import { digestOf } from '../secrets/digest.js';
import { sellerName } from '../tenants/seller-name.js';

/** What is known behind a link that can still be used. */
export interface OpenedLogin {
  readonly tenantId: string;
  readonly sandbox: boolean;
  readonly seller: string;
  readonly link: LoginLinkRow;
  readonly customer: CustomerState;
}

/** By what a link is used: in the sign-in to an app for which it was made, or for the customer area. */
export interface LinkUse {
  readonly interaction: string | null;
  /** A secret of the browser that shows the page behind the link; null for a program. */
  readonly browser: string | null;
}

/** Who clicks twice sends the form twice, and the browser drops the first answer. */
const SECOND_CLICK_MS = 10_000;

interface Found {
  readonly tenantId: string;
  readonly id: string;
}

/** Finds and uses login links. A wrong token, one that never was, an old and a used one look the same. */
@Injectable()
export class OpenLoginLink {
  constructor(
    private readonly db: Database,
    private readonly replicas: Replicas,
  ) {}

  async look(token: string): Promise<OpenedLogin | null> {
    const found = await this.locate(token);
    return found ? this.db.tenant(found.tenantId, (tx) => this.load(tx, found.id), { readOnly: true }) : null;
  }

  /**
   * Uses a link, which nobody can do twice, and does `work` in the same transaction; null when it cannot be used, or was made for
   * another sign-in. A second click in the same browser is part of the first one; a sign-in to an app is in one browser anyway.
   */
  async use<T>(
    token: string,
    { interaction, browser }: LinkUse,
    work: (tx: TenantTx, opened: OpenedLogin) => Promise<T>,
  ): Promise<T | null> {
    const found = await this.locate(token);
    if (!found) return null;
    return this.db.tenant(found.tenantId, async (tx) => {
      const now = new Date();
      const used = await tx.query(
        `UPDATE login_link SET used_at = coalesce(used_at, $3), used_by = coalesce(used_by, $5)
         WHERE tenant_id = $1 AND id = $2 AND expires_at > $3 AND interaction IS NOT DISTINCT FROM $4
           AND (used_at IS NULL OR (used_at > $6 AND ($4 IS NOT NULL OR used_by = $5)))
         RETURNING 1`,
        [
          tx.tenantId,
          found.id,
          now,
          interaction,
          browser === null ? null : digestOf(browser),
          new Date(now.getTime() - SECOND_CLICK_MS),
        ],
      );
      const opened = used.length > 0 ? await this.load(tx, found.id, true) : null;
      return opened && work(tx, opened);
    });
  }

  private async locate(token: string): Promise<Found | undefined> {
    if (!/^[\w-]{22}$/.test(token)) return undefined;
    const [found] = await this.db.statement<Found>('SELECT tenant_id AS "tenantId", id FROM login_link_by_digest($1)', [
      digestOf(token),
    ]);
    return found;
  }

  private async load(tx: TenantTx, id: string, isUsedNow = false): Promise<OpenedLogin | null> {
    const link = await loginLinks.get(tx, id);
    if (!link || (link.usedAt && !isUsedNow) || link.expiresAt.getTime() <= Date.now()) return null;
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', link.customerId);
    const tenant = await tenants.findOne(tx, {});
    if (!customer || tenant?.status !== 'active') return null;
    const seller = await sellerName(tx, this.replicas, tenant);
    return { tenantId: tx.tenantId, sandbox: tenant.mode === 'sandbox', seller, link, customer };
  }
}
