import type { PaymentMethod } from './payment-method.row.js';
import type { PaymentMethodView } from './payment-method.schema.js';
import { displayName } from '../domain/payment-methods/payment-method.js';

/** A payment method as GET answers it. Account numbers are masked. */
export const representMethod = (method: PaymentMethod): PaymentMethodView => ({
  id: method.id,
  customerId: method.customerId,
  gatewayName: method.gatewayName,
  type: method.type,
  referenceId: method.referenceId,
  default: method.isDefault,
  status: method.status,
  source: method.source,
  enabled: method.enabled,
  name: method.name,
  data: displayLines(method),
  creationDate: method.creationDate.toISOString(),
  expirationDate: method.expirationDate?.toISOString() ?? null,
  sepaMandate: representMandate(method),
  card: method.details.card ?? null,
  sepaDebit: method.details.account ?? null,
  onlineWalletProvider: method.details.onlineWallet ?? null,
});

/** The method in words, line by line: what a list shows beside its name. */
function displayLines(method: PaymentMethod): string[] {
  const { card, account, onlineWallet } = method.details;
  if (account?.iban) return [account.iban, ...(account.mandateReference ? [account.mandateReference] : [])];
  if (card?.expMonth && card.expYear)
    return [displayName({ card }) ?? '', `${String(card.expMonth).padStart(2, '0')}/${card.expYear}`];
  return onlineWallet?.email ? [onlineWallet.email] : [];
}

function representMandate(method: PaymentMethod) {
  const { mandate } = method.details;
  if (!mandate) return null;
  return {
    mandateReference: mandate.reference,
    signingDate: mandate.signedOn,
    scheme: mandate.scheme,
    sequenceType: method.nextSequence,
    accountHolder: mandate.accountHolder,
    iban: mandate.iban,
    bic: mandate.bic,
  };
}
