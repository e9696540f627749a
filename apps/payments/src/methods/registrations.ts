import { createHash, randomBytes } from 'node:crypto';
import { Table } from '../db/table.js';
import type { GatewayName, MethodSource } from '../domain/payment-method.js';

/**
 * What a provider was asked for. `asking`: the answer is not known yet, or the provider's credentials are not set;
 * `waiting`: for the payer's action; `done`: the method exists and can be used; `failed`: refused.
 */
export interface Registration {
  /** The method's id. */
  readonly id: string;
  readonly customerId: string;
  readonly gatewayName: GatewayName;
  readonly source: MethodSource;
  readonly wantsDefault: boolean;
  readonly futureUsageAllowed: boolean;
  readonly input: {
    readonly cardProvider: Record<string, unknown> | null;
    readonly debitProvider: Record<string, unknown> | null;
    /** The token of our return page, sealed: the provider is asked again with the same address. */
    readonly returnToken: string;
  };
  state: 'asking' | 'waiting' | 'done' | 'failed';
  referenceId: string | null;
  actionUrl: string | null;
  failReason: string | null;
  readonly redirectUrl: string | null;
  readonly linkId: string | null;
  readonly tokenDigest: string;
  readonly createdAt: Date;
}

export const registrations = new Table<Registration>(
  'method_registration',
  {
    id: 'uuid', customerId: 'uuid', gatewayName: 'text', source: 'text', wantsDefault: 'boolean', futureUsageAllowed: 'boolean', input: 'jsonb',
    state: 'text', referenceId: 'text', actionUrl: 'text', failReason: 'text', redirectUrl: 'text', linkId: 'uuid', tokenDigest: 'text',
    createdAt: 'timestamptz',
  }, // prettier-ignore
  ['state', 'referenceId', 'actionUrl', 'failReason'],
);

/** 256 bits that nobody guesses, for an address. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is kept of a token. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');
