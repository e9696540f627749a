import type { CustomerId, TenantId } from '@kontor/kernel';

/** Who is calling, as the gateway found out and every service sees it in the internal token. */
export interface Principal {
  readonly tenantId: TenantId;
  readonly kind: 'api_key' | 'user' | 'client' | 'customer' | 'service';
  readonly subjectId: string;
  /** Only for customer-bound tokens. */
  readonly customerId?: CustomerId;
  readonly permissions: readonly string[];
  readonly scopes: readonly string[];
  /** Name of the API key or user, for activity entries. */
  readonly name?: string;
  readonly sessionId?: string;
  readonly mode?: 'live' | 'sandbox';
  /** An API key that counts at some addresses only, or for a time: what it makes or gives may not reach further. */
  readonly isBound?: true;
}
