import { Table } from '../../db/table.js';
import type { GatewayName } from '../../domain/payment-method.js';

/** A page on which one customer may add one way to pay. */
export interface MethodLink {
  readonly id: string;
  readonly customerId: string;
  readonly tokenDigest: string;
  /** What may be chosen there, as far as the tenant can do it when the page is opened. */
  readonly allowedGateways: readonly GatewayName[];
  readonly redirectUrl: string | null;
  /** Real time. */
  readonly expiresAt: Date;
  /** What was added; the link is used up then. */
  methodId: string | null;
  readonly createdAt: Date;
}

export const methodLinks = new Table<MethodLink>(
  'method_link',
  {
    id: 'uuid', customerId: 'uuid', tokenDigest: 'text', allowedGateways: 'jsonb', redirectUrl: 'text', expiresAt: 'timestamptz', methodId: 'uuid',
    createdAt: 'timestamptz',
  }, // prettier-ignore
  ['methodId'],
);

export const LINK_PATH = '/public/payment-methods';
/** How long a link can be used, in real time. */
export const LINK_LIFE_MS = 7 * 86_400_000;
