import type { CustomerState } from '@kontor/contracts';
import { invariant } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler, Replicas, scheduleDue } from '@kontor/persistence';
import { customerMerged, SecretBox, ServiceConfig } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { holdCustomer } from '../customer-books/hold-customer.js';
import { Gateways } from '../gateways/port/payment-gateway.js';
import { CompletePaymentMethod, type Registered } from './complete-payment-method.js';
import { ASK_AGAIN_AFTER_MS, UNCONFIGURED_AGAIN_AFTER_MS } from './asking-again.js';
import { REGISTER_METHOD } from '../due-kinds.js';
import { customerName, type MethodRequest } from './new-method.js';
import type { RegistrationAnswer } from '../gateways/port/registering-gateway.js';
import { registering, UNCONFIGURED } from '../gateways/port/registering-gateway.js';
import { digestOf, newToken } from './tokens.js';
import { type Registration, registrations } from './registration.row.js';

export interface RegisterMethodRequest extends MethodRequest {
  readonly wantsDefault: boolean;
  readonly cardProvider: Record<string, unknown> | null;
  readonly debitProvider: Record<string, unknown> | null;
  readonly redirectUrl: string | null;
  readonly linkId: string | null;
}

/** Where a provider sends the payer back to, below the public address. */
export const RETURN_PATH = '/public/payment-methods/returns';

/**
 * Has a provider make a method: the request is committed, the provider is asked outside any transaction, its answer is
 * noted in a second one. Whoever dies in between leaves due work, and the provider is asked again under the same id.
 */
@Injectable()
export class RegisterMethod {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly gateways: Gateways,
    private readonly complete: CompletePaymentMethod,
    private readonly secrets: SecretBox,
    private readonly config: ServiceConfig,
  ) {}

  /** @throws DomainError `unknown_reference` (customer), `customer_anonymized`. Whatever the provider does is an answer. */
  async execute(tenantId: string, request: RegisterMethodRequest): Promise<Registered> {
    const token = newToken();
    await this.database.tenant(tenantId, async (tx) => {
      const customer = await holdCustomer(this.replicas, tx, request.customerId);
      if (customer.mergedIntoCustomerId) throw customerMerged(customer.mergedIntoCustomerId);
      const registration: Registration = {
        id: request.id,
        customerId: request.customerId,
        gatewayName: request.gateway,
        source: request.source,
        wantsDefault: request.wantsDefault,
        futureUsageAllowed: request.futureUsageAllowed,
        state: 'asking',
        referenceId: null,
        actionUrl: null,
        failReason: null,
        input: {
          cardProvider: request.cardProvider,
          debitProvider: request.debitProvider,
          returnToken: this.secrets.seal(token, request.id),
        },
        redirectUrl: request.redirectUrl,
        linkId: request.linkId,
        tokenDigest: digestOf(token),
        createdAt: tx.now,
      };
      await registrations.insert(tx, [registration]);
      await scheduleDue(tx, {
        kind: REGISTER_METHOD,
        ref: request.id,
        dueAt: new Date(Date.now() + ASK_AGAIN_AFTER_MS),
        wall: true,
      });
      return { status: 'action_required', actionRequired: false, failReason: null, paymentMethod: null };
    });
    const answer = await this.ask(tenantId, request.id).catch(() => null);
    if (answer) {
      if (answer.status === 'gateway_unconfigured') await this.askLater(tenantId, request.id);
      return this.complete.execute(tenantId, request.id, answer);
    }
    const registration = await this.find(tenantId, request.id);
    return { registration, method: null };
  }

  /** Asks the provider. An exception means that its answer is not known. */
  async ask(tenantId: string, id: string): Promise<RegistrationAnswer> {
    const found = await this.database.tenant(
      tenantId,
      async (tx) => {
        const registration = await registrations.get(tx, id);
        invariant(registration, `the registration ${id} was recorded`);
        return {
          registration,
          customer: await this.replicas.get<CustomerState>(tx, 'customer', registration.customerId),
        };
      },
      { readOnly: true },
    );
    const { registration, customer } = found;
    invariant(customer, 'a registration has its customer');
    const gateway = registering(this.gateways.find(registration.gatewayName));
    if (!gateway.register) return UNCONFIGURED;
    return gateway.register({
      tenantId,
      methodId: id,
      customerId: registration.customerId,
      customer: {
        email: customer.email,
        name: customerName(customer),
        language: customer.language,
        countryCode: customer.countryCode,
      },
      gateway: registration.gatewayName,
      redirectUrl: `${this.config.publicUrl}${RETURN_PATH}/${this.secrets.open(registration.input.returnToken, id)}`,
      cardProvider: registration.input.cardProvider,
      debitProvider: registration.input.debitProvider,
    });
  }

  /** Once its credentials are set, the provider makes the method. */
  private askLater(tenantId: string, id: string): Promise<void> {
    const dueAt = new Date(Date.now() + UNCONFIGURED_AGAIN_AFTER_MS);
    return this.database.tenant(tenantId, (tx) =>
      scheduleDue(tx, { kind: REGISTER_METHOD, ref: id, dueAt, wall: true }),
    );
  }

  private find(tenantId: string, id: string): Promise<Registration> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const registration = await registrations.get(tx, id);
        invariant(registration, 'a registration is never removed');
        return registration;
      },
      { readOnly: true },
    );
  }
}

/** Asks again for registrations whose answer was lost. */
@DueHandler({ kind: REGISTER_METHOD, batchSize: 20 })
export class RegisterMethodsAgain {
  constructor(
    private readonly database: Database,
    private readonly register: RegisterMethod,
    private readonly complete: CompletePaymentMethod,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      const answer = await this.register.ask(batch.tenantId, item.ref).catch(() => null);
      if (answer) await this.complete.execute(batch.tenantId, item.ref, answer);
      if (answer && answer.status !== 'gateway_unconfigured') continue;
      const again = new Date(Date.now() + (answer ? UNCONFIGURED_AGAIN_AFTER_MS : ASK_AGAIN_AFTER_MS));
      await this.database.tenant(batch.tenantId, (tx) => completeDue(tx, REGISTER_METHOD, item, again));
    }
  }
}
