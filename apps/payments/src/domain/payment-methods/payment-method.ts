/** All gateways. @see docs/rules/payments.md#payment-methods-and-gateways */
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

export const METHOD_STATUSES = ['active', 'action_required', 'expired', 'revoked', 'gateway_unconfigured'] as const;
export type PaymentMethodStatus = (typeof METHOD_STATUSES)[number];

export const METHOD_TYPES = [
  'sepa_debit',
  'card',
  'online_wallet_provider',
  'bank_transfer',
  'wallet',
  'fake_provider',
] as const;
export type PaymentMethodType = (typeof METHOD_TYPES)[number];

export const METHOD_SOURCES = ['checkout', 'customerfront', 'api', 'add_link'] as const;
export type MethodSource = (typeof METHOD_SOURCES)[number];

export interface GatewayTraits {
  /** The type that its methods have. */
  readonly type: PaymentMethodType | null;
  /** It fetches money; others wait for it. */
  readonly collects: boolean;
  /** Its methods are made at a provider outside, which may want the payer's action. */
  readonly registers: boolean;
  /** The only currencies that it can fetch; absent: any. */
  readonly currencies?: readonly string[];
  /** It minds itself how often a method may be used, so one for a single payment can be charged. */
  readonly countsUses?: boolean;
  /** It moves no money: for sandboxes alone. */
  readonly isTest?: boolean;
}

/** What gateways can do. */
export const GATEWAY_TRAITS: Readonly<Record<GatewayName, GatewayTraits>> = {
  wallet: { type: 'wallet', collects: false, registers: false },
  sepa_debit: { type: 'sepa_debit', collects: true, registers: false, currencies: ['EUR'], countsUses: true },
  card_provider: { type: 'card', collects: true, registers: true },
  fake_provider: { type: 'fake_provider', collects: true, registers: false, isTest: true },
  online_wallet_provider: { type: 'online_wallet_provider', collects: true, registers: true },
  bank_transfer: { type: 'bank_transfer', collects: false, registers: false },
  debit_provider: { type: 'sepa_debit', collects: true, registers: true },
  testing: { type: null, collects: true, registers: false, isTest: true },
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

/** True when money can be fetched with it now; with a currency: money of that currency. */
export function canCollect(method: ChargeableMethod, currencyCode?: string): boolean {
  const traits = GATEWAY_TRAITS[method.gatewayName as GatewayName] as GatewayTraits | undefined;
  if (!traits?.collects || method.status !== 'active' || !method.enabled) return false;
  if (!method.futureUsageAllowed && !traits.countsUses) return false;
  return currencyCode === undefined || movesCurrency(method.gatewayName as GatewayName, currencyCode);
}

/** Whether a gateway can fetch money of a currency. */
export function movesCurrency(gateway: GatewayName, currencyCode: string): boolean {
  const { currencies } = GATEWAY_TRAITS[gateway];
  return currencies === undefined || currencies.includes(currencyCode);
}

/** What is shown of a card. */
export interface CardDetails {
  readonly brand: string | null;
  readonly last4: string | null;
  /** 1 to 12. */
  readonly expMonth: number | null;
  readonly expYear: number | null;
  readonly cardHolder: string | null;
}

/** What is shown of an account that may be debited. */
export interface AccountDetails {
  /** Masked. */
  readonly iban: string | null;
  readonly bic: string | null;
  readonly mandateReference: string | null;
  /** `YYYY-MM-DD`. */
  readonly signingDate: string | null;
}

export interface OnlineWalletDetails {
  readonly email: string | null;
  readonly billingAgreementId: string | null;
}

/**
 * A card may be charged until its last month is over: that month's last day, `YYYY-MM-DD`. Null when it is not known.
 */
export function lastDayOfCard(card: Pick<CardDetails, 'expMonth' | 'expYear'>): string | null {
  const { expMonth, expYear } = card;
  if (expMonth === null || expYear === null || expMonth < 1 || expMonth > 12) return null;
  return new Date(Date.UTC(expYear, expMonth, 0)).toISOString().slice(0, 10);
}

/** How people name it: `Visa •••• 4242`. Null where only the gateway's name could be said. */
export function displayName(details: {
  readonly card?: CardDetails | null;
  readonly account?: Pick<AccountDetails, 'iban'> | null;
  readonly onlineWallet?: OnlineWalletDetails | null;
}): string | null {
  const { card, account, onlineWallet } = details;
  if (card?.last4) {
    const brand = card.brand ? card.brand.charAt(0).toUpperCase() + card.brand.slice(1) : 'Card';
    return `${brand} •••• ${card.last4}`;
  }
  if (account?.iban) return `SEPA ${account.iban}`;
  return onlineWallet?.email ?? null;
}
