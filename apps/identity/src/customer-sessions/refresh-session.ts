import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { familyOf, isBearerSecret, unauthenticated } from '@kontor/service-kit';
import { customerSessions } from '../db/customer-session.row.js';
import { digestOf } from '../secrets/digest.js';
import { type CustomerTokens, renewSession } from './open-session.js';

interface Found {
  readonly tenantId: string;
  readonly id: string;
}

/**
 * Exchanges a refresh token for new tokens. It counts once: whoever shows one that was exchanged already, however long ago, may have
 * stolen it, or been robbed, and the session ends; so does that of a customer who is gone.
 * @throws DomainError 401 `unauthenticated`
 */
@Injectable()
export class RefreshSession {
  constructor(
    private readonly db: Database,
    private readonly replicas: Replicas,
  ) {}

  async execute(refreshToken: string): Promise<CustomerTokens> {
    if (!refreshToken.startsWith('cur_') || !isBearerSecret(refreshToken)) throw refused();
    const [found] = await this.db.statement<Found>(
      'SELECT tenant_id AS "tenantId", id FROM customer_session_by_token($1, $2)',
      [digestOf(refreshToken), digestOf(familyOf(refreshToken))],
    );
    const tokens = found && (await this.renew(found, refreshToken));
    if (!tokens) throw refused();
    return tokens;
  }

  private renew(found: Found, refreshToken: string): Promise<CustomerTokens | null> {
    return this.db.tenant(found.tenantId, async (tx) => {
      const session = await customerSessions.get(tx, found.id, { lock: 'update' });
      const now = new Date();
      if (!session || session.refreshExpiresAt <= now) return null;
      const isLast = session.refreshDigest.equals(digestOf(refreshToken));
      if (isLast && (await this.replicas.get<CustomerState>(tx, 'customer', session.customerId)))
        return renewSession(tx, session, refreshToken, now);
      await customerSessions.delete(tx, { id: session.id });
      return null;
    });
  }
}

const refused = () => unauthenticated('The refresh token is unknown, used or expired.');
