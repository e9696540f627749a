import { DomainError, validationFailed } from '@kontor/kernel';
import type { TenantState } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { ReplicaFreshness, SecretBox } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { holdCustomer } from '../customer-books/hold-customer.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import type { PaymentMethod } from './payment-method.row.js';
import { GATEWAY_TRAITS, type MethodSource } from '../domain/payment-methods/payment-method.js';
import type { MandateConsent } from '../domain/payment-methods/sepa-mandate.js';
import { addMethod } from './add-method.js';
import type { Registered } from './complete-payment-method.js';
import { type MethodRequest, newMethod, newMethodId, newSepaMethod } from './new-method.js';
import type { CreatePaymentMethodDto } from './payment-method.dto.js';
import { checkRedirectUrl } from './redirect-url.js';
import { RegisterMethod } from './register-method.js';
import { representMethod } from './represent-method.js';
import type { PaymentMethodView } from './payment-method.schema.js';
import { waitForCopies } from './wait-for-copies.js';

export interface CreatedMethod {
  /**
   * `active`, `action_required`, `gateway_unconfigured`; `failed` when the provider refused, and there is no method.
   */
  readonly status: string;
  readonly actionRequired: boolean;
  readonly failReason: string | null;
  readonly paymentMethod: PaymentMethodView | null;
  /** Where the payer has to go; only while an action is required. */
  readonly actionUrl?: string;
}

/** From where a method comes, and how its payer agreed to a mandate there. */
export interface MethodOrigin {
  readonly source: MethodSource;
  readonly consent?: MandateConsent;
}
const BY_API: MethodOrigin = { source: 'api' };

/** Adds a way to pay to a customer. */
@Injectable()
export class CreatePaymentMethod {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
    private readonly register: RegisterMethod,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * @throws DomainError `validation_failed` (type, isDefault, sepaMandate, redirectUrl), `unknown_reference`
   * (customer), `customer_anonymized`,
   * `already_exists` (mandate reference).
   */
  async execute(tenantId: string, dto: CreatePaymentMethodDto, from: MethodOrigin = BY_API): Promise<CreatedMethod> {
    check(dto);
    const request: MethodRequest = {
      id: newMethodId(),
      customerId: dto.customerId,
      gateway: dto.gateway,
      source: from.source,
      futureUsageAllowed: dto.futureUsageAllowed ?? true,
    };
    const wantsDefault = request.futureUsageAllowed && dto.isDefault !== false;
    if (!GATEWAY_TRAITS[dto.gateway].registers) return this.add(tenantId, request, dto, { wantsDefault, ...from });
    const redirectUrl = dto.redirectUrl ? checkRedirectUrl(dto.redirectUrl, await this.modeOf(tenantId)) : null;
    const more = { cardProvider: dto.cardProvider ?? null, debitProvider: dto.debitProvider ?? null, linkId: null };
    return answerOf(await this.register.execute(tenantId, { ...request, wantsDefault, redirectUrl, ...more }));
  }

  /** A method that needs nobody outside. */
  private async add(
    tenantId: string,
    request: MethodRequest,
    dto: CreatePaymentMethodDto,
    { wantsDefault, consent }: MethodOrigin & { readonly wantsDefault: boolean },
  ): Promise<CreatedMethod> {
    let changed: readonly PaymentMethod[] = [];
    const answer = await this.database.tenant(tenantId, async (tx) => {
      const customer = await holdCustomer(this.replicas, tx, dto.customerId);
      if (dto.redirectUrl) {
        const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
        checkRedirectUrl(dto.redirectUrl, tenant?.mode ?? 'live');
      }
      await lockCustomers(tx, [dto.customerId]);
      const method = dto.sepaMandate
        ? await newSepaMethod(tx, this.secrets, {
            request,
            dto: dto.sepaMandate,
            customer,
            ...(consent && { consent }),
          })
        : newMethod(tx, request);
      changed = await addMethod(tx, { method, wantsDefault, zone: customer.timeZone });
      return { status: method.status, actionRequired: false, failReason: null, paymentMethod: representMethod(method) };
    });
    await waitForCopies(this.freshness, tenantId, changed);
    return answer;
  }

  private async modeOf(tenantId: string): Promise<'live' | 'sandbox'> {
    const find = (tx: Parameters<Replicas['get']>[0]) => this.replicas.get<TenantState>(tx, 'tenant', tenantId);
    return (await this.database.tenant(tenantId, find, { readOnly: true }))?.mode ?? 'live';
  }
}

/** What the payer's side gets to know of a registration. */
export function answerOf({ registration, method }: Registered): CreatedMethod {
  const failed = registration.state === 'failed';
  const actionRequired = registration.state === 'waiting' && registration.actionUrl !== null;
  return {
    status: failed ? 'failed' : (method?.status ?? 'action_required'),
    actionRequired,
    failReason: registration.failReason ?? (registration.state === 'asking' ? 'gateway_unavailable' : null),
    paymentMethod: method && !failed ? representMethod(method) : null,
    ...(actionRequired && { actionUrl: registration.actionUrl ?? '' }),
  };
}

function check(dto: CreatePaymentMethodDto): void {
  const { type } = GATEWAY_TRAITS[dto.gateway];
  if (dto.type !== undefined && dto.type !== null && dto.type !== type) {
    throw validationFailed(
      'type',
      `A method of the gateway ${dto.gateway} has the type ${type ?? 'null'}.`,
      'invalid_choice',
    );
  }
  if (dto.isDefault === true && dto.futureUsageAllowed === false) {
    throw validationFailed(
      'isDefault',
      'A method that may not be used again cannot be the default.',
      'default_not_allowed',
    );
  }
  if (dto.gateway === 'sepa_debit' && !dto.sepaMandate) {
    throw validationFailed('sepaMandate', 'The gateway sepa_debit needs a mandate.', 'required');
  }
  for (const [field, gateways] of Object.entries(PARTS)) {
    if (dto[field as keyof typeof PARTS] && !gateways.includes(dto.gateway)) {
      throw new DomainError('validation_failed', {
        detail: `${field} is not for the gateway ${dto.gateway}.`,
        violations: [
          { propertyPath: field, message: `This is not for the gateway ${dto.gateway}.`, code: 'not_allowed' },
        ],
      });
    }
  }
}

const PARTS = { sepaMandate: ['sepa_debit'], cardProvider: ['card_provider'], debitProvider: ['debit_provider'] };
