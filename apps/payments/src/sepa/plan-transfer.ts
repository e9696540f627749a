import type { TenantState } from '@kontor/contracts';
import { addDays, type Day, dayOf, targetDayFrom, validationFailed } from '@kontor/kernel';
import type { Replicas, TenantTx } from '@kontor/persistence';
import type { SecretBox } from '@kontor/service-kit';
import { readBic, readIban } from '../domain/payment-methods/sepa-mandate.js';
import type { TransferRequest } from '../gateways/port/bank-orders.js';
import { endToEndIdOf, SEPA_LIMIT_MINOR } from '../domain/sepa/sepa-order.js';
import { type SepaOrder, sepaOrders } from './sepa-order.row.js';

/**
 * Notes a pay-out for the next file, in the transaction of its cause. The next banking day is its day.
 * @throws DomainError `validation_failed` (iban, currencyCode, amount).
 */
export async function planTransfer(
  tx: TenantTx,
  { replicas, secrets }: { replicas: Replicas; secrets: SecretBox },
  request: TransferRequest,
): Promise<SepaOrder> {
  const iban = readIban(request.iban);
  if (!iban) throw validationFailed('iban', 'iban must be an IBAN of the SEPA area.', 'invalid_iban');
  if (request.currencyCode !== 'EUR')
    throw validationFailed(
      'currencyCode',
      'currencyCode must be EUR: SEPA pays in euro only.',
      'currency_not_supported',
    );
  if (request.amountMinor <= 0n || request.amountMinor > SEPA_LIMIT_MINOR)
    throw validationFailed('amount', 'amount must be between 0.01 and 999,999,999.99 EUR.', 'out_of_range');
  const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
  const today: Day = dayOf(tx.now, tenant?.timeZone ?? 'Europe/Berlin');
  const order: SepaOrder = {
    id: request.transactionId,
    kind: 'transfer',
    customerId: request.customerId,
    intentId: request.intentId,
    paymentMethodId: null,
    amountMinor: request.amountMinor,
    endToEndId: endToEndIdOf(request.transactionId),
    remittance: request.remittance,
    requestedOn: targetDayFrom(addDays(today, 1)),
    partyName: request.name,
    ibanSecret: secrets.seal(iban, request.transactionId),
    bic: request.bic ? readBic(request.bic) : null,
    sequenceType: null,
    status: 'waiting',
    statusReason: null,
    fileId: null,
    paymentInformationId: null,
    createdAt: tx.now,
  };
  await sepaOrders.insert(tx, [order]);
  return order;
}
