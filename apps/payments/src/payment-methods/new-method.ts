import type { CustomerState } from '@kontor/contracts';
import { DomainError, dayOf, isDay, newUuid, storableText, uuidToUlid, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { SecretBox } from '@kontor/service-kit';
import type { MethodDetails, PaymentMethod } from './payment-method.row.js';
import {
  displayName,
  GATEWAY_TRAITS,
  type GatewayName,
  type MethodSource,
} from '../domain/payment-methods/payment-method.js';
import {
  type Mandate,
  type MandateConsent,
  mandateEnds,
  maskIban,
  readBic,
  readIban,
  type SequenceType,
} from '../domain/payment-methods/sepa-mandate.js';
import type { SepaMandateDto } from './payment-method.dto.js';

/** What is wanted of a new method, whoever wants it. */
export interface MethodRequest {
  readonly id: string;
  readonly customerId: string;
  readonly gateway: GatewayName;
  readonly source: MethodSource;
  readonly futureUsageAllowed: boolean;
}

/** A method that is about to be saved; more about it comes from a mandate or a provider. */
export const newMethod = (tx: TenantTx, request: MethodRequest, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  id: request.id,
  customerId: request.customerId,
  gatewayName: request.gateway,
  type: GATEWAY_TRAITS[request.gateway].type,
  referenceId: request.gateway === 'bank_transfer' ? null : `${request.gateway}_${request.id}`,
  isDefault: false,
  status: 'active',
  source: request.source,
  enabled: true,
  futureUsageAllowed: request.futureUsageAllowed,
  name: null,
  creationDate: tx.now,
  expirationDate: null,
  deletedAt: null,
  version: 0,
  details: {},
  secret: null,
  mandateReference: null,
  nextSequence: null,
  mandateUsedAt: null,
  statusReason: null,
  ...more,
});

export const newMethodId = newUuid;

/** How a customer is called: the company, else the person; null when neither is known. */
export const customerName = (customer: CustomerState): string | null =>
  customer.companyName?.trim() || [customer.firstName, customer.lastName].filter(Boolean).join(' ').trim() || null;

/**
 * A method that debits an account by a mandate of our own.
 * @throws DomainError `validation_failed` (holder, signing date), `already_exists` (reference, also of another
 * customer).
 */
export async function newSepaMethod(
  tx: TenantTx,
  secrets: SecretBox,
  {
    request,
    dto,
    customer,
    consent,
  }: { request: MethodRequest; dto: SepaMandateDto; customer: CustomerState; consent?: MandateConsent },
): Promise<PaymentMethod> {
  const iban = readIban(dto.iban);
  if (!iban) throw validationFailed('sepaMandate.iban', 'iban must be an IBAN of the SEPA area.', 'invalid_iban');
  const accountHolder = (dto.accountHolder ?? customerName(customer))?.trim();
  if (!accountHolder) throw validationFailed('sepaMandate.accountHolder', 'accountHolder is required.', 'required');
  const sequence = sequenceOf(dto, request.futureUsageAllowed);
  const reference = dto.mandateReference ?? `M-${uuidToUlid(request.id)}`;
  if (dto.mandateReference) await mustBeNew(tx, reference);
  const mandate: Mandate = {
    accountHolder: storableText(accountHolder, 70),
    iban: maskIban(iban),
    bic: dto.bic ? readBic(dto.bic) : null,
    reference,
    signedOn: signingDay(dto.signingDate ?? null, tx.now, {
      zone: customer.timeZone,
      used: sequence === 'RCUR' || sequence === 'FNAL',
    }),
    scheme: dto.scheme ?? dto.type ?? 'CORE',
    consent: consent ?? null,
  };
  const account = { iban: mandate.iban, bic: mandate.bic, mandateReference: reference, signingDate: mandate.signedOn };
  const details: MethodDetails = { account, mandate };
  return newMethod(tx, request, {
    details,
    name: displayName(details),
    secret: secrets.seal(iban, request.id),
    mandateReference: reference,
    nextSequence: sequence,
  });
}

/** The account's number of a method that debits it. */
export const ibanOf = (secrets: SecretBox, method: Pick<PaymentMethod, 'id' | 'secret'>): string | null =>
  method.secret === null ? null : secrets.open(method.secret, method.id);

function sequenceOf(dto: SepaMandateDto, futureUsageAllowed: boolean): SequenceType {
  const wanted = dto.sequenceType ?? dto.sequence;
  if (!futureUsageAllowed && wanted && wanted !== 'OOFF') {
    throw validationFailed(
      `sepaMandate.${dto.sequenceType ? 'sequenceType' : 'sequence'}`,
      'A mandate that may not be used again is for one debit, OOFF.',
      'invalid_choice',
    );
  }
  return wanted ?? (futureUsageAllowed ? 'FRST' : 'OOFF');
}

function signingDay(text: string | null, now: Date, { zone, used }: { zone: string; used: boolean }): string {
  const today = dayOf(now, zone);
  const day = text === null ? today : isDay(text) ? text : dayOf(new Date(text), zone);
  if (day > today)
    throw validationFailed('sepaMandate.signingDate', 'signingDate must not be in the future.', 'date_in_future');
  if (!used && mandateEnds(day, null) <= today) {
    throw validationFailed(
      'sepaMandate.signingDate',
      'A mandate that was not used for 36 months has ended.',
      'mandate_expired',
    );
  }
  return day;
}

async function mustBeNew(tx: TenantTx, reference: string): Promise<void> {
  const taken = await tx.query(
    'SELECT 1 FROM payment_method WHERE tenant_id = $1 AND upper(mandate_reference) = upper($2)',
    [tx.tenantId, reference],
  );
  if (taken.length === 0) return;
  const message = 'This mandate reference is already in use: a mandate belongs to one customer and one account.';
  throw new DomainError('already_exists', {
    detail: message,
    violations: [{ propertyPath: 'sepaMandate.mandateReference', message, code: 'already_exists' }],
  });
}
