import { DomainError, type Violation } from '@kontor/kernel';
import type { Replicas, TenantTx } from '@kontor/persistence';
import { type LegalLinks, legalLinksOf, type SellerLook } from '@kontor/service-kit';
import { readIban } from '../domain/payment-methods/sepa-mandate.js';
import type { Party } from '../domain/sepa/payment-file.js';
import type { SepaKind } from './sepa-order.row.js';

interface SellerSettings {
  readonly preNotificationDays?: number | null;
  readonly seller?: {
    readonly company?: string | null;
    readonly bankAccount?: {
      readonly accountHolder?: string | null;
      readonly iban?: string | null;
      readonly bic?: string | null;
    };
    readonly creditorIdentifier?: string | null;
  };
  readonly checkout?: Partial<SellerLook & Omit<LegalLinks, 'cancellationPath'>>;
}

/** What surrounds the content of the seller's pages. */
export const aroundPages = (
  tenantId: string,
  settings: SellerSettings,
): { readonly look: SellerLook; readonly legal: LegalLinks } => ({
  look: { logo: settings.checkout?.logo ?? null, accentColor: settings.checkout?.accentColor ?? null },
  legal: legalLinksOf(tenantId, settings.checkout),
});

/** The billing settings, as far as debits need them. */
export const readSellerSettings = async (replicas: Replicas, tx: TenantTx): Promise<SellerSettings> =>
  (await replicas.get<SellerSettings>(tx, 'settings', tx.tenantId)) ?? {};

/** Days between notifying a payer and debiting; a customer's own value wins. */
export function noticeDaysOf(settings: SellerSettings, overrides: Readonly<Record<string, unknown>>): number {
  const override = overrides['preNotificationDays'];
  return typeof override === 'number' ? override : (settings.preNotificationDays ?? 2);
}

/**
 * The tenant as the one who orders at its bank.
 * @throws DomainError `seller_data_incomplete` naming each missing setting; debits need a creditor identifier as well.
 */
export function ownerOf(
  settings: SellerSettings,
  kinds: ReadonlySet<SepaKind>,
): { owner: Party; creditorIdentifier: string } {
  const { company, bankAccount, creditorIdentifier } = settings.seller ?? {};
  const name = bankAccount?.accountHolder ?? company ?? null;
  const iban = readIban(bankAccount?.iban ?? '');
  const missing: string[] = [];
  if (!name) missing.push('seller.company');
  if (!iban) missing.push('seller.bankAccount.iban');
  if (kinds.has('debit') && !creditorIdentifier) missing.push('seller.creditorIdentifier');
  if (missing.length > 0 || !name || !iban) throw incomplete(missing);
  return {
    owner: { name, iban, bic: bankAccount?.bic ?? null, address: null },
    creditorIdentifier: creditorIdentifier ?? '',
  };
}

function incomplete(missing: readonly string[]): DomainError {
  const violations: Violation[] = missing.map((propertyPath) => ({
    propertyPath,
    message: `The billing setting ${propertyPath} is missing.`,
    code: 'required',
  }));
  return new DomainError('seller_data_incomplete', {
    detail: `SEPA files need the billing settings ${missing.join(', ')}.`,
    violations,
  });
}
