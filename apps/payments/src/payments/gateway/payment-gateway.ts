import type { GatewayOutcome } from '../../domain/collections.js';

/** One charge that a gateway is asked for. */
export interface GatewayCharge {
  /** The transaction's id: the gateway's idempotency key. Asking twice charges once. */
  readonly id: string;
  /** Minor units, more than zero. */
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  /** The method's id at the gateway. */
  readonly methodReference: string | null;
}

/** For whom a gateway is asked, and the tenant's time. */
export interface GatewayContext {
  readonly tenantId: string;
  readonly now: Date;
}

/**
 * Somebody who fetches money. Called outside every transaction; an exception or a missing answer means that the
 * outcome is unknown, and the same charges are asked for again, with the same ids.
 */
export interface PaymentGateway {
  readonly name: string;
  collect(charges: readonly GatewayCharge[], context: GatewayContext): Promise<Map<string, GatewayOutcome>>;
}

/** The gateways of this installation, by name. */
export abstract class Gateways {
  abstract find(name: string): PaymentGateway | undefined;
}
