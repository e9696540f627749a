/** What holds for one customer's credit. */
export interface CreditRules {
  /** The feature `WalletTopUp`. Without it the two settings have no effect. */
  readonly walletEnabled: boolean;
  /** Excess of a payment becomes credit. */
  readonly creditOverpayments: boolean;
  /** Credit pays open invoices by itself. */
  readonly applyAutomatically: boolean;
  /** Real days after which credit that was given ends, not money paid in; null: never. */
  readonly expiryDays: number | null;
}

export const NO_CREDIT: CreditRules = {
  walletEnabled: false,
  creditOverpayments: false,
  applyAutomatically: false,
  expiryDays: null,
};

const WALLET_FEATURE = 'WalletTopUp';

export interface RuleSources {
  readonly features: readonly string[];
  /** Billing settings of the tenant, by their API names. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The customer's overrides; null inherits. */
  readonly overrides: Readonly<Record<string, unknown>>;
}

/**
 * A customer's override wins over the tenant's setting, null inherits; nothing works without the feature.
 * @see docs/rules/payments.md#settings-for-credit
 */
export function creditRules({ features, settings, overrides }: RuleSources): CreditRules {
  if (!features.includes(WALLET_FEATURE)) return NO_CREDIT;
  const value = (key: string): unknown => overrides[key] ?? settings[key];
  const days = value('creditExpiryDays');
  return {
    walletEnabled: true,
    creditOverpayments: value('creditOverpayments') === true,
    applyAutomatically: value('applyCreditAutomatically') === true,
    expiryDays: typeof days === 'number' && days > 0 ? days : null,
  };
}
