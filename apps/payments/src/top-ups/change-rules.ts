import { DomainError, newUuid, notFound, unknownReference } from '@kontor/kernel';
import { cancelDue, Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { foreignCustomer } from '@kontor/service-kit';
import { holdCustomer } from '../customer-books/hold-customer.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { mustCarry } from '../domain/customer-books/amount-range.js';
import type { AutoTopUpRule } from '../domain/top-ups/top-up.js';
import { readPositiveAmount } from '../wallet/read-amount.js';
import { requireWallet } from '../wallet/wallet-feature.js';
import { AUTO_TOP_UP } from '../due-kinds.js';
import { methodOfCustomer } from './new-top-up.js';
import { representRule } from './represent-top-up.js';
import { autoTopUpRules } from './auto-top-up-rule.row.js';
import type { ChangeAutoTopUpDto, CreateAutoTopUpDto } from './top-up.dto.js';

/** Rules for automatic top-ups. `ownCustomerId` is the customer that a customer-bound token keeps to, else null. */
@Injectable()
export class ChangeRules {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** @throws DomainError 400 `already_exists`; `validation_failed`, `unknown_reference`, `customer_anonymized`. */
  create(tenantId: string, customerId: string, dto: CreateAutoTopUpDto) {
    return this.database.tenant(tenantId, async (tx) => {
      await requireWallet(this.replicas, tx);
      const { currencyCode } = dto;
      const thresholdMinor = readPositiveAmount('thresholdAmount', dto.thresholdAmount, currencyCode);
      const topUpMinor = readPositiveAmount('topUpAmount', dto.topUpAmount, currencyCode);
      mustCarry(thresholdMinor + topUpMinor, 'The balance after a top-up');
      await holdCustomer(this.replicas, tx, customerId);
      await lockCustomers(tx, [customerId]);
      const existing = await autoTopUpRules.where(tx, 'customer_id = $2 AND currency_code = $3', [
        customerId,
        currencyCode,
      ]);
      if (existing.length > 0) {
        const message = `The customer already has a rule for ${currencyCode}.`;
        const violations = [{ propertyPath: 'currencyCode', message, code: 'already_exists' }];
        throw new DomainError('already_exists', { kind: 'invalid', detail: message, violations });
      }
      const rule: AutoTopUpRule = {
        id: newUuid(),
        customerId,
        currencyCode,
        thresholdMinor,
        topUpMinor,
        paymentMethodId: await this.methodId(tx, customerId, dto.paymentMethodId),
        enabled: true,
        consecutiveFailures: 0,
        version: 1,
        createdAt: tx.now,
        updatedAt: tx.now,
      };
      await autoTopUpRules.insert(tx, [rule]);
      return representRule(rule);
    });
  }

  /**
   * Only what is given changes.
   * @throws DomainError `not_found`, 403 `foreign_customer`, `validation_failed`, `unknown_reference`,
   * `amount_out_of_range`.
   */
  change(tenantId: string, ruleId: string, ownCustomerId: string | null, dto: ChangeAutoTopUpDto) {
    return this.database.tenant(tenantId, async (tx) => {
      const rule = await this.lockRule(tx, ruleId, ownCustomerId);
      const amount = (path: 'thresholdAmount' | 'topUpAmount', unchanged: bigint): bigint => {
        const value = dto[path];
        return value === undefined || value === null ? unchanged : readPositiveAmount(path, value, rule.currencyCode);
      };
      const wasEnabled = rule.enabled;
      Object.assign(rule, {
        thresholdMinor: amount('thresholdAmount', rule.thresholdMinor),
        topUpMinor: amount('topUpAmount', rule.topUpMinor),
        enabled: dto.enabled ?? rule.enabled,
        updatedAt: tx.now,
      });
      mustCarry(rule.thresholdMinor + rule.topUpMinor, 'The balance after a top-up');
      if (dto.paymentMethodId !== undefined)
        rule.paymentMethodId = await this.methodId(tx, rule.customerId, dto.paymentMethodId);
      if (rule.enabled && !wasEnabled) rule.consecutiveFailures = 0;
      rule.version += 1;
      await autoTopUpRules.save(tx, [rule]);
      return representRule(rule);
    });
  }

  /** A top-up that it has started goes on. @throws DomainError `not_found`, 403 `foreign_customer`. */
  remove(tenantId: string, ruleId: string, ownCustomerId: string | null): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      await this.lockRule(tx, ruleId, ownCustomerId);
      await tx.query('DELETE FROM auto_top_up_rule WHERE tenant_id = $1 AND id = $2', [tx.tenantId, ruleId]);
      await cancelDue(tx, AUTO_TOP_UP, ruleId);
    });
  }

  private async lockRule(tx: TenantTx, ruleId: string, ownCustomerId: string | null): Promise<AutoTopUpRule> {
    await requireWallet(this.replicas, tx);
    const seen = await autoTopUpRules.get(tx, ruleId);
    if (!seen) throw notFound('The auto top-up rule');
    if (ownCustomerId !== null && seen.customerId !== ownCustomerId) throw foreignCustomer();
    await lockCustomers(tx, [seen.customerId]);
    const rule = await autoTopUpRules.get(tx, ruleId);
    if (!rule) throw notFound('The auto top-up rule');
    return rule;
  }

  private async methodId(tx: TenantTx, customerId: string, wanted: string | null | undefined): Promise<string | null> {
    if (!wanted) return null;
    const method = await methodOfCustomer(tx, customerId, wanted);
    if (!method) throw unknownReference('paymentMethodId', 'payment method');
    return method.id;
  }
}
