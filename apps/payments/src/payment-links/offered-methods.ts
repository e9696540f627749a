import {
  type GatewayName,
  GATEWAY_TRAITS,
  movesCurrency,
  type PaymentMethodType,
} from '../domain/payment-methods/payment-method.js';

/** What a page can offer, in the order in which it is shown. A wallet is no way to pay that somebody adds. */
export const LINK_GATEWAYS = [
  'sepa_debit',
  'card_provider',
  'debit_provider',
  'online_wallet_provider',
  'bank_transfer',
  'testing',
  'fake_provider',
] as const satisfies readonly GatewayName[];

/** Words for `allowedTypes`: gateways and the types of their methods. */
export const LINK_TYPES: readonly string[] = [
  ...new Set([...LINK_GATEWAYS.flatMap((name) => GATEWAY_TRAITS[name].type ?? []), ...LINK_GATEWAYS]),
];

/** The gateways behind types and gateways; all of them for none. */
export function gatewaysOf(types: readonly string[]): GatewayName[] {
  if (types.length === 0) return [...LINK_GATEWAYS];
  return LINK_GATEWAYS.filter(
    (name) => types.includes(name) || types.includes(GATEWAY_TRAITS[name].type as PaymentMethodType),
  );
}

export interface TenantAbilities {
  readonly sandbox: boolean;
  readonly hasCreditorIdentifier: boolean;
  /** Whether a provider's credentials are there. */
  configured(gateway: GatewayName): boolean;
}

/**
 * What of the allowed can be offered now, where it is known for money of that currency. A provider's debit gives way to one by a mandate
 * of our own.
 */
export function offeredGateways(
  allowed: readonly GatewayName[],
  tenant: TenantAbilities,
  currencyCode: string | null,
): GatewayName[] {
  const usable = LINK_GATEWAYS.filter(
    (name) =>
      allowed.includes(name) && isUsable(name, tenant) && (currencyCode === null || movesCurrency(name, currencyCode)),
  );
  return usable.includes('sepa_debit') ? usable.filter((name) => name !== 'debit_provider') : usable;
}

function isUsable(name: GatewayName, tenant: TenantAbilities): boolean {
  const { isTest, registers } = GATEWAY_TRAITS[name];
  if (isTest) return tenant.sandbox;
  if (name === 'sepa_debit') return tenant.hasCreditorIdentifier;
  return registers ? tenant.configured(name) : true;
}
