import type { CustomerState } from '@kontor/contracts';
import { dayOf, startOfDay } from '@kontor/kernel';
import {
  Database,
  type DueBatch,
  DueHandler,
  type DueItem,
  eachDueItem,
  Replicas,
  type TenantTx,
} from '@kontor/persistence';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { methods, type PaymentMethod } from './payment-method.row.js';
import { mandateEnds } from '../domain/payment-methods/sepa-mandate.js';
import { saveMethods } from './default-method.js';
import { END_METHOD } from '../due-kinds.js';

/**
 * Cards expire with their last month; a mandate that was not used for 36 months is revoked. Neither is collected any
 * more.
 */
@DueHandler({ kind: END_METHOD, batchSize: 100 })
export class EndMethods {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  handle(batch: DueBatch): Promise<void> {
    return eachDueItem(this.database, batch, END_METHOD, (tx, item) => this.end(tx, item));
  }

  /** Gives the next time to look, where it is not over yet: a mandate was used meanwhile, a card got a new date. */
  private async end(tx: TenantTx, item: DueItem): Promise<Date | null> {
    const [seen] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [item.ref]);
    if (!seen) return null;
    await lockCustomers(tx, [seen.customerId]);
    const [method] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [item.ref]);
    if (method?.status !== 'active') return null;
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', method.customerId);
    const end = endOf(method, customer?.timeZone ?? 'Europe/Berlin');
    if (!end) return null;
    if (end.at > tx.now) return end.at;
    method.status = end.status;
    method.statusReason = end.reason;
    await saveMethods(tx, [{ method, change: 'updated' }]);
    return null;
  }
}

function endOf(
  method: PaymentMethod,
  zone: string,
): { at: Date; status: 'expired' | 'revoked'; reason: string } | null {
  if (method.expirationDate)
    return { at: new Date(method.expirationDate.getTime() + 1), status: 'expired', reason: 'card_expired' };
  const { mandate } = method.details;
  if (!mandate) return null;
  const lastUse = method.mandateUsedAt ?? method.creationDate;
  return {
    at: startOfDay(mandateEnds(mandate.signedOn, dayOf(lastUse, zone)), zone),
    status: 'revoked',
    reason: 'mandate_unused',
  };
}
