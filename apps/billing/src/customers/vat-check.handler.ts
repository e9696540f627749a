import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem } from '@kontor/persistence';
import { CustomerRow } from '../db/customer.row.js';
import { afterVatCheck, nextVatCheck, type VatCheckOutcome } from '../domain/customers/vat-id.js';
import { VAT_CHECK, vatNotices } from './check-vat-id.js';
import { addressesOf, saveCustomer } from './customer-aggregate.js';
import { ViesClient } from './vies.client.js';

/** Asks VIES about the VAT ids whose check is due: outside of any transaction, settled in a second one. */
@Injectable()
@DueHandler({ kind: VAT_CHECK, batchSize: 20 })
export class VatCheckHandler {
  constructor(
    private readonly database: Database,
    private readonly vies: ViesClient,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) await this.check(batch, item);
  }

  private async check({ tenantId, now }: DueBatch, item: DueItem): Promise<void> {
    const vatId = await this.database.tenant(
      tenantId,
      async (tx) => (await tx.manager.findOneBy(CustomerRow, { tenantId, id: item.ref }))?.vatId ?? null,
      { readOnly: true, now },
    );
    const outcome = vatId === null ? undefined : await this.vies.check(vatId);
    await this.settle(tenantId, now, item, vatId, outcome);
  }

  /** An id that was changed meanwhile has a check of its own waiting: this answer is not about it. */
  private async settle(
    tenantId: string,
    now: Date,
    item: DueItem,
    vatId: string | null,
    outcome: VatCheckOutcome | undefined,
  ): Promise<void> {
    await this.database.tenant(
      tenantId,
      async (tx) => {
        const customer = await tx.manager.findOne(CustomerRow, { where: { tenantId, id: item.ref }, lock: { mode: 'pessimistic_write' } });
        if (!customer || outcome === undefined || customer.vatId !== vatId) return completeDue(tx, VAT_CHECK, item);
        const before = customer.vatIdStatus;
        Object.assign(customer, afterVatCheck(customer, outcome, now));
        await completeDue(tx, VAT_CHECK, item, nextVatCheck(outcome, now));
        if (customer.vatIdStatus === before) {
          const { vatIdValidatedAt } = customer;
          await tx.manager.update(CustomerRow, { tenantId, id: customer.id }, { vatIdValidatedAt });
        } else
          await saveCustomer(tx, { customer, addresses: await addressesOf(tx, customer.id) }, [
            { type: 'customer.updated', metadata: { changed: ['vatIdStatus'] } },
            ...vatNotices(customer),
          ]);
      },
      { now },
    );
  }
}
