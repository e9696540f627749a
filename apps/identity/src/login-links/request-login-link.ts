import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database, scheduleDue } from '@kontor/persistence';
import { requestContext } from '@kontor/service-kit';
import { SignInLimits } from '../accounts/sign-in-limits.js';
import { comparedAs } from '../db/compared-as.js';
import { loginRequests } from '../db/login-request.row.js';
import { LOGIN_REQUEST } from './login-link-life.js';

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
  constructor(
    private readonly db: Database,
    private readonly limits: SignInLimits,
  ) {}

  /** Who asks too often is answered alike: an address that somebody else asks for is not closed to who has it. */
  async execute({ tenantId, email, interaction }: LoginRequest): Promise<void> {
    const { address = '' } = requestContext() ?? {};
    if (!(await this.limits.allows('login_link', `${tenantId} ${email.trim()}`, address))) return;
    const createdAt = new Date();
    await this.db.tenant(tenantId, async (tx) => {
      const id = newUuid();
      await loginRequests.insert(tx, { id, email: await comparedAs(tx, email), interaction, createdAt });
      await scheduleDue(tx, { kind: LOGIN_REQUEST, ref: id, dueAt: createdAt, wall: true });
    });
  }
}
