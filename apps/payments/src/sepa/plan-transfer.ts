import type { TenantState } from '@kontor/contracts';
import { addDays, type Day, dayOf, targetDayFrom, validationFailed } from '@kontor/kernel';
import type { Replicas, TenantTx } from '@kontor/persistence';
import type { SecretBox } from '@kontor/service-kit';
import { readBic, readIban } from '../domain/sepa-mandate.js';
import { endToEndIdOf, SEPA_LIMIT_MINOR, type SepaOrder, sepaOrders } from './sepa-tables.js';

/** Money that goes out by bank: a refund, or a credit note that is paid out. */
export interface TransferWish {
  /** Of the pending transaction that it belongs to. */
  readonly transactionId: string;
  readonly customerId: string;
  readonly intentId: string | null;
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  readonly iban: string;
  readonly bic: string | null;
  readonly name: string;
  /** What the payee reads. */
  readonly remittance: string;
}

/**
 * Notes a pay-out for the next file, in the transaction of its cause. The next banking day is its day.
 * @throws DomainError `validation_failed` (iban, currencyCode, amount).
 */
export async function planTransfer(
  tx: TenantTx,
  { replicas, secrets }: { replicas: Replicas; secrets: SecretBox },
  wish: TransferWish,
): Promise<SepaOrder> {
  const iban = readIban(wish.iban);
  if (!iban) throw validationFailed('iban', 'This is not an IBAN of the SEPA area.', 'invalid_iban');
  if (wish.currencyCode !== 'EUR') throw validationFailed('currencyCode', 'SEPA pays in euro only.', 'currency_not_supported');
  if (wish.amountMinor <= 0n || wish.amountMinor > SEPA_LIMIT_MINOR)
    throw validationFailed('amount', 'SEPA pays 0.01 to 999,999,999.99 EUR.', 'out_of_range');
  const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
  const today: Day = dayOf(tx.now, tenant?.timeZone ?? 'Europe/Berlin');
  const order: SepaOrder = {
    id: wish.transactionId, kind: 'transfer', customerId: wish.customerId, intentId: wish.intentId, paymentMethodId: null, amountMinor: wish.amountMinor,
    endToEndId: endToEndIdOf(wish.transactionId), remittance: wish.remittance, requestedOn: targetDayFrom(addDays(today, 1)), partyName: wish.name,
    ibanSecret: secrets.seal(iban, wish.transactionId), bic: wish.bic ? readBic(wish.bic) : null, sequenceType: null, status: 'waiting', statusReason: null,
    fileId: null, paymentInformationId: null, createdAt: tx.now,
  }; // prettier-ignore
  await sepaOrders.insert(tx, [order]);
  return order;
}
