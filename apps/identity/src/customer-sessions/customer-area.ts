import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { customerSessions } from '../db/customer-session.row.js';
import { tenants } from '../db/tenant.row.js';
import { VerifyToken } from '../tokens/verify-token.js';
import { sellerName } from '../tenants/seller-name.js';

export const AREA_PATH = '/public/customer/area';
const COOKIE = 'kontor_customer';

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
    const secure = this.config.publicUrl.startsWith('https:') ? '; Secure' : '';
    return `${COOKIE}=${value}; Path=/public/customer; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
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
