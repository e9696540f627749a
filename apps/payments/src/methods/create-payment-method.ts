import { DomainError, newUuid, unknownReference, validationFailed } from '@kontor/kernel';
import type { CustomerState } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../db/lock-customers.js';
import type { PaymentMethod } from '../db/tables.js';
import { BUILT_GATEWAYS, type PaymentMethodType } from '../domain/payment-method.js';
import { chooseDefault, methodsOf, saveMethods } from './default-method.js';
import type { CreatePaymentMethodDto } from './payment-method.dto.js';
import { representMethod } from './represent-method.js';
import { waitForCopies } from './wait-for-copies.js';

/** Adds a way to pay to a customer. */
@Injectable()
export class CreatePaymentMethod {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
  ) {}

  /** @throws DomainError `not_supported_yet` (gateway), `validation_failed` (type, isDefault), `unknown_reference` (customer). */
  async execute(tenantId: string, dto: CreatePaymentMethodDto) {
    const type = typeOf(dto);
    const futureUsageAllowed = dto.futureUsageAllowed ?? true;
    if (dto.isDefault === true && !futureUsageAllowed) {
      throw validationFailed('isDefault', 'A method that may not be used again cannot be the default.', 'default_not_allowed');
    }
    const changed: PaymentMethod[] = [];
    const answer = await this.database.tenant(tenantId, async (tx) => {
      changed.length = 0;
      const customer = await this.replicas.get<CustomerState>(tx, 'customer', dto.customerId);
      if (!customer) throw unknownReference('customerId', 'customer');
      await lockCustomers(tx, [dto.customerId]);
      const id = newUuid();
      const method: PaymentMethod = {
        id, customerId: dto.customerId, gatewayName: dto.gateway, type, referenceId: dto.gateway === 'bank_transfer' ? null : `${dto.gateway}_${id}`,
        isDefault: false, status: 'active', source: 'api', enabled: true, futureUsageAllowed, name: null, creationDate: tx.now, expirationDate: null,
        deletedAt: null, version: 0,
      }; // prettier-ignore
      const existing = await methodsOf(tx, dto.customerId);
      const others =
        futureUsageAllowed && dto.isDefault !== false ? chooseDefault([...existing, method], method).filter((m) => m !== method) : [];
      changed.push(...others, method);
      await saveMethods(tx, [...others.map((m) => ({ method: m, change: 'updated' as const })), { method, change: 'created' }]);
      return { status: method.status, actionRequired: false, failReason: null, paymentMethod: representMethod(method) };
    });
    await waitForCopies(this.freshness, tenantId, changed);
    return answer;
  }
}

function typeOf(dto: CreatePaymentMethodDto): PaymentMethodType | null {
  const built = BUILT_GATEWAYS[dto.gateway];
  if (!built) {
    const violation = { propertyPath: 'gateway', message: `The gateway ${dto.gateway} is not supported yet.`, code: 'not_supported_yet' };
    throw new DomainError('not_supported_yet', { detail: violation.message, violations: [violation] });
  }
  if (dto.type !== undefined && dto.type !== null && dto.type !== built.type) {
    throw validationFailed('type', `A method of the gateway ${dto.gateway} has the type ${built.type ?? 'null'}.`, 'invalid_choice');
  }
  return built.type;
}
