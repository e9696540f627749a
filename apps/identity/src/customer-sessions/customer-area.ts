import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { customerSessions } from '../db/customer-session.row.js';
import { tenants } from '../db/tenant.row.js';
import { LOGIN_LINK_MINUTES, LOGIN_PATH } from '../login-links/login-link-life.js';
import { VerifyToken } from '../tokens/verify-token.js';
import { sellerName } from '../tenants/seller-name.js';

export const AREA_PATH = '/public/customer/area';
const COOKIE = 'kontor_customer';
/** Known to the pages behind login links, for as long as a link lasts. */
const BROWSER_COOKIE = 'kontor_login';

/** Who has logged in with a browser. */
export interface Visitor {
  readonly sandbox: boolean;
  readonly seller: string;
  readonly customer: CustomerState;
}

/** The session of the customer area: an access token in a cookie of these pages alone. */
@Injectable()
export class CustomerArea {
  constructor(
    private readonly db: Database,
    private readonly replicas: Replicas,
    private readonly verifyToken: VerifyToken,
    private readonly config: ServiceConfig,
  ) {}

  async visitor(cookies: string | undefined): Promise<Visitor | null> {
    const principal = await this.principal(cookies);
    if (!principal?.customerId) return null;
    const { customerId } = principal;
    return this.db.tenant(
      principal.tenantId,
      async (tx) => {
        const customer = await this.replicas.get<CustomerState>(tx, 'customer', customerId);
        const tenant = await tenants.findOne(tx, {});
        if (!customer || !tenant) return null;
        const seller = await sellerName(tx, this.replicas, tenant);
        return { sandbox: tenant.mode === 'sandbox', seller, customer };
      },
      { readOnly: true },
    );
  }

  async leave(cookies: string | undefined): Promise<void> {
    const principal = await this.principal(cookies);
    const { sessionId } = principal ?? {};
    if (principal && sessionId)
      await this.db.tenant(principal.tenantId, (tx) => customerSessions.delete(tx, { id: sessionId }));
  }

  /** Sent with these pages only, never with what another site starts but for a link that leads here. */
  cookie(value: string, seconds: number): string {
    return `${COOKIE}=${value}; Path=/public/customer; HttpOnly; SameSite=Lax; Max-Age=${seconds}${this.secure}`;
  }

  /** By what a browser is known while it uses a login link; null where it is not known yet. */
  browserOf(cookies: string | undefined): string | null {
    return new RegExp(`(?:^|; ?)${BROWSER_COOKIE}=([\\w-]{22})(?:;|$)`).exec(cookies ?? '')?.[1] ?? null;
  }

  browserCookie(): string {
    const secret = randomBytes(16).toString('base64url');
    return `${BROWSER_COOKIE}=${secret}; Path=${LOGIN_PATH}; HttpOnly; SameSite=Lax; Max-Age=${LOGIN_LINK_MINUTES * 60}${this.secure}`;
  }

  private get secure(): string {
    return this.config.publicUrl.startsWith('https:') ? '; Secure' : '';
  }

  private async principal(cookies: string | undefined) {
    const token = new RegExp(`(?:^|; ?)${COOKIE}=(cus_[\\w-]+)`).exec(cookies ?? '')?.[1];
    if (!token) return null;
    const verified = await this.verifyToken.execute(token).catch(refused);
    return verified?.principal ?? null;
  }
}

const refused = (error: unknown): null => {
  if ((error as { reason?: string }).reason !== 'unauthenticated') throw error;
  return null;
};
