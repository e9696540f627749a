import type { TenantState } from '@kontor/contracts';
import { DomainError, type Tx } from '@kontor/kernel';
import { Database, Replicas, SharedTransactions } from '@kontor/persistence';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { creditRules } from '../domain/customer-books/credit-rules.js';

const hasWallet = (tenant: TenantState | null): boolean =>
  creditRules({ features: tenant?.features ?? [], settings: {}, overrides: {} }).walletEnabled;

const refusal = (): DomainError =>
  new DomainError('feature_not_enabled', {
    kind: 'forbidden',
    detail: 'The feature WalletTopUp is not enabled for this tenant.',
  });

/** @throws DomainError 403 `feature_not_enabled`. */
export async function requireWallet(replicas: Replicas, tx: Tx): Promise<void> {
  if (!hasWallet(await replicas.get<TenantState>(tx, 'tenant', tx.tenantId))) throw refusal();
}

/** Refuses before the body is looked at: without the feature there is nothing to be said about a body. */
@Injectable()
export class WalletFeatureGuard implements CanActivate {
  /** Requests that come together are answered by one look: after they came, so none gets an outdated answer. */
  private readonly shared: SharedTransactions<null, boolean>;

  constructor(database: Database, replicas: Replicas) {
    this.shared = new SharedTransactions(
      database,
      async (tx, parts) => {
        const enabled = hasWallet(await replicas.get<TenantState>(tx, 'tenant', tx.tenantId));
        return parts.map(() => ({ status: 'fulfilled', value: enabled }));
      },
      { readOnly: true },
    );
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!principal) return true;
    if (!(await this.shared.run(principal.tenantId, 'feature', null))) throw refusal();
    return true;
  }
}
