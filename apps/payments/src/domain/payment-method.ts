/** All gateways of the interface. Those that are not built yet are refused when a method is created. */
export const GATEWAYS = [
  'wallet',
  'sepa_debit',
  'card_provider',
  'fake_provider',
  'online_wallet_provider',
  'bank_transfer',
  'debit_provider',
  'testing',
] as const;
export type GatewayName = (typeof GATEWAYS)[number];

export type PaymentMethodStatus = 'active' | 'action_required' | 'expired' | 'revoked' | 'gateway_unconfigured';

export const METHOD_TYPES = ['sepa_debit', 'card', 'online_wallet_provider', 'bank_transfer', 'wallet', 'fake_provider'] as const;
export type PaymentMethodType = (typeof METHOD_TYPES)[number];

/** What built gateways can do: the type that their methods have, and whether they fetch money or wait for it. */
export const BUILT_GATEWAYS: Readonly<Partial<Record<GatewayName, { type: PaymentMethodType | null; collects: boolean }>>> = {
  bank_transfer: { type: 'bank_transfer', collects: false },
  testing: { type: null, collects: true },
  fake_provider: { type: 'fake_provider', collects: true },
};

/** The part of a method that decides whether it can be charged. */
export interface ChargeableMethod {
  readonly id: string;
  readonly customerId: string;
  readonly gatewayName: string;
  readonly status: PaymentMethodStatus;
  readonly enabled: boolean;
  readonly futureUsageAllowed: boolean;
}

/**
 * The method that settles a document: the named one, else the customer's default. A named method that cannot be used
 * is not silently replaced: the document then waits for its payment.
 */
export function methodFor<M extends ChargeableMethod>(
  customerId: string,
  named: M | null | undefined,
  isNamed: boolean,
  byDefault: M | null | undefined,
): M | null {
  const method = isNamed ? named : byDefault;
  return method && method.customerId === customerId ? method : null;
}

/** True when money can be fetched with it now. */
export const canCollect = (method: ChargeableMethod): boolean =>
  method.status === 'active' &&
  method.enabled &&
  method.futureUsageAllowed &&
  BUILT_GATEWAYS[method.gatewayName as GatewayName]?.collects === true;
