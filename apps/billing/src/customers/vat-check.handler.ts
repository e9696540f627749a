import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import { afterVatCheck, nextVatCheck, type VatCheckOutcome } from '../domain/customers/vat-id.js';
import { VAT_CHECK, vatNotices } from './check-vat-id.js';
import { addressesOf, saveCustomer } from './customer-aggregate.js';
import { ViesClient } from './vies.client.js';

/** Checks with VIES the VAT ids that are due: outside of any transaction; the result is stored in a second one. */
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
      async (tx) => (await tables.customers.get(tx, item.ref))?.vatId ?? null,
      { readOnly: true, now },
    );
    const outcome = vatId === null ? undefined : await this.vies.check(vatId);
    await this.settle(tenantId, now, item, vatId, outcome);
  }

  /** An id that was changed meanwhile has another check waiting: this answer is not about it. */
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
        const customer = await tables.customers.get(tx, item.ref, { lock: 'update' });
        if (!customer || outcome === undefined || customer.vatId !== vatId) return completeDue(tx, VAT_CHECK, item);
        const before = customer.vatIdStatus;
        Object.assign(customer, afterVatCheck(customer, outcome, now));
        await completeDue(tx, VAT_CHECK, item, nextVatCheck(outcome, now));
        if (customer.vatIdStatus === before) {
          await tables.customers.update(tx, customer, ['vatIdValidatedAt']);
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
