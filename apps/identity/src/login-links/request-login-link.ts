import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database, scheduleDue } from '@kontor/persistence';
import { comparedAs } from '../db/compared-as.js';
import { loginRequests } from '../db/login-request.row.js';
import { digestOfAddress } from './address-digest.js';
import { LOGIN_REQUEST, LOGINS_A_MINUTE } from './login-link-life.js';

export interface LoginRequest {
  /** Whose customers are meant; `NO_TENANT` for those of all. */
  readonly tenantId: string;
  readonly email: string;
  readonly interaction: string | null;
}

/**
 * Takes down that somebody with this address wants to log in. Whether the address is known is looked up afterwards, so
 * that neither the answer nor the time it takes shows it.
 */
@Injectable()
export class RequestLoginLink {
  constructor(private readonly db: Database) {}

  async execute(request: LoginRequest): Promise<void> {
    const createdAt = new Date();
    await this.db.tenant(request.tenantId, async (tx) => {
      const id = newUuid();
      const email = await comparedAs(tx, request.email);
      const [recent] = await tx.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM login_request
         WHERE tenant_id = $1 AND email IN ($2, ${digestOfAddress('$2')}) AND created_at > $3`,
        [tx.tenantId, email, new Date(createdAt.getTime() - 60_000)],
      );
      await loginRequests.insert(tx, { id, email, interaction: request.interaction, createdAt });
      if ((recent?.n ?? 0) < LOGINS_A_MINUTE)
        await scheduleDue(tx, { kind: LOGIN_REQUEST, ref: id, dueAt: createdAt, wall: true });
    });
  }
}
