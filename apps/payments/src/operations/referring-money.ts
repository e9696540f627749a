import type { TenantTx } from '@kontor/persistence';
import { CustomerReferences } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

/** What refers to a customer by its column `customer_id`, where a condition holds. */
const REFERRING: Readonly<Record<string, string>> = {
  payment_method: 'true',
  // The method that a provider is asked for will be one.
  method_registration: `state = 'asking'`,
  payment_intent: 'true',
  wallet: 'true',
  auto_top_up_rule: 'true',
};

/** A customer stays while it has a way to pay, anything to pay, or credit. */
@Injectable()
export class ReferringMoney extends CustomerReferences {
  async find(tx: TenantTx, customerId: string): Promise<string[]> {
    const references: string[] = [];
    for (const [table, condition] of Object.entries(REFERRING)) {
      const [row] = await tx.query<{ there: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM ${table} WHERE tenant_id = $1 AND customer_id = $2 AND ${condition}) AS there`,
        [tx.tenantId, customerId],
      );
      if (row?.there) references.push(table);
    }
    return references;
  }
}
