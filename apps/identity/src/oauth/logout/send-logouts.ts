import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem } from '@kontor/persistence';
import { guardedAgent, Log, reachOf, refusalOfAddress, ServiceConfig } from '@kontor/service-kit';
import { request } from 'undici';
import { type LogoutDeliveryRow, logoutDeliveries } from '../../db/logout-delivery.row.js';
import { oauthClients } from '../../db/oauth-client.row.js';
import { tenants } from '../../db/tenant.row.js';
import type { IssuerName } from '../issuer-addresses.js';
import { Issuers } from '../issuers.js';
import { LOGOUT } from './logout-deliveries.js';

/** Waits after each failure; then it is given up. */
const RETRY_MS = [5_000, 60_000, 600_000, 3_600_000];
const TIMEOUT_MS = 10_000;

interface Delivery extends LogoutDeliveryRow {
  readonly uri: string;
  readonly issuer: IssuerName;
}

/** Reports logouts to apps: a signed token, made anew for each attempt, is posted to where the app wants it. */
@Injectable()
@DueHandler({ kind: LOGOUT, batchSize: 10 })
export class SendLogouts {
  constructor(
    private readonly db: Database,
    private readonly issuers: Issuers,
    private readonly config: ServiceConfig,
    private readonly log: Log,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    await Promise.all(batch.items.map((item) => this.deliver(batch.tenantId, item)));
  }

  private async deliver(tenantId: string, item: DueItem): Promise<void> {
    const delivery = await this.load(tenantId, item.ref);
    const failure = delivery && (await this.attempt(delivery).catch((error: Error) => error.message));
    await this.db.tenant(tenantId, async (tx) => {
      const row = await logoutDeliveries.get(tx, item.ref, { lock: 'update' });
      const wait = failure && row ? RETRY_MS[row.attempts] : undefined;
      if (failure)
        this.log.warn(
          { clientId: delivery.clientId, failure, again: wait !== undefined },
          'an app did not hear of a logout',
        );
      if (row && wait !== undefined) await logoutDeliveries.update(tx, { ...row, attempts: row.attempts + 1 });
      else await logoutDeliveries.delete(tx, { id: item.ref });
      await completeDue(tx, LOGOUT, item, wait === undefined ? null : new Date(Date.now() + wait));
    });
  }

  private load(tenantId: string, id: string): Promise<Delivery | null> {
    return this.db.tenant(
      tenantId,
      async (tx) => {
        const row = await logoutDeliveries.get(tx, id);
        const client = row && (await oauthClients.get(tx, row.clientId));
        const tenant = await tenants.findOne(tx, {});
        const uri = client?.backchannelLogoutUri;
        return row && tenant && uri ? { ...row, uri, issuer: tenant.mode } : null;
      },
      { readOnly: true },
    );
  }

  /** Why it failed; undefined where the app has taken it. */
  private async attempt({ uri, issuer, clientId, subject, sid }: Delivery): Promise<string | undefined> {
    const reach = reachOf(issuer, this.config.publicUrl);
    const refusal = refusalOfAddress(uri, reach);
    if (refusal) return refusal;
    const { provider, tokens } = await this.issuers.of(issuer);
    if (!(await provider.Client.find(clientId))) return undefined;
    const token = await tokens.signLogout({ clientId, subject, sid });
    const agent = guardedAgent(reach, { connectTimeoutMs: TIMEOUT_MS });
    try {
      const { statusCode, body } = await request(uri, {
        method: 'POST',
        dispatcher: agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
      });
      await body.dump({ limit: 65_536 });
      return statusCode === 200 || statusCode === 204 ? undefined : `status ${statusCode}`;
    } finally {
      await agent.destroy();
    }
  }
}
