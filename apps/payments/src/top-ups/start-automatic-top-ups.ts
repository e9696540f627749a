import type { TenantState } from '@kontor/contracts';
import { topUpChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { Database, type DueBatch, DueHandler, eachDueItem, Replicas, type TenantTx } from '@kontor/persistence';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { wallets } from '../customer-books/wallet.row.js';
import { creditRules } from '../domain/customer-books/credit-rules.js';
import { AUTO_TOP_UP } from '../due-kinds.js';
import { saveEnded } from './follow-top-ups.js';
import { canTopUp, methodOfCustomer, newTopUp, startTopUp } from './new-top-up.js';
import { topUpEvent } from './top-up-events.js';
import { autoTopUpRules } from './auto-top-up-rule.row.js';
import { topUps } from './top-up.row.js';

/**
 * Starts the top-up of a rule whose balance fell below the threshold: not when it was switched off or the balance has
 * risen meanwhile, and never while another automatic top-up of that wallet is under way. Without a method that can be
 * charged by itself the top-up fails at once, and counts as a failure.
 */
@DueHandler({ kind: AUTO_TOP_UP, batchSize: 100 })
export class StartAutomaticTopUps {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly customerBooks: CustomerBooks,
  ) {}

  handle(batch: DueBatch): Promise<void> {
    return eachDueItem(this.database, batch, AUTO_TOP_UP, (tx, item) => this.start(tx, item.ref));
  }

  private async start(tx: TenantTx, ruleId: string): Promise<void> {
    const seen = await autoTopUpRules.get(tx, ruleId);
    if (!seen || !(await this.isWalletEnabled(tx))) return;
    await lockCustomers(tx, [seen.customerId]);
    const [rule] = await autoTopUpRules.where(tx, 'id = $2 AND enabled', [ruleId]);
    if (!rule) return;
    const { customerId, currencyCode } = rule;
    const [wallet] = await wallets.where(tx, 'customer_id = $2 AND currency_code = $3', [customerId, currencyCode]);
    if ((wallet?.balanceMinor ?? 0n) >= rule.thresholdMinor) return;
    const underWay = `customer_id = $2 AND currency_code = $3 AND rule_id IS NOT NULL AND status = 'pending' LIMIT 1`;
    if ((await topUps.where(tx, underWay, [customerId, currencyCode])).length > 0) return;
    const request = { customerId, currencyCode, amountMinor: rule.topUpMinor, ruleId: rule.id };
    const method = await methodOfCustomer(tx, customerId, rule.paymentMethodId);
    if (method && canTopUp(method, currencyCode, false)) {
      await startTopUp(tx, this.customerBooks, request, method);
      return;
    }
    const refused = newTopUp(tx, request, method);
    await topUps.insert(tx, [refused]);
    await appendEvents(tx, topUpChangedV1, [topUpEvent(refused)]);
    await saveEnded(tx, [Object.assign(refused, { status: 'failed', failReason: 'payment_method_required' })]);
  }

  private async isWalletEnabled(tx: TenantTx): Promise<boolean> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    return creditRules({ features: tenant?.features ?? [], settings: {}, overrides: {} }).walletEnabled;
  }
}
