import { DomainError } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';

/** What is taxed: one product, or all of a tax group. */
type Taxed = { readonly product: string } | { readonly taxGroup: string };

/**
 * Published offers promise a total with its tax: until they are accepted or put away, it is what is billed.
 * @throws DomainError `tax_offered`
 */
export async function refuseOfferedTax(tx: TenantTx, taxed: Taxed): Promise<void> {
  const [column, id] = 'product' in taxed ? ['r.id', taxed.product] : ['r.tax_group_id', taxed.taxGroup];
  const [found] = await tx.query<{ isOffered: boolean }>(
    `SELECT EXISTS (
       SELECT 1 FROM product r JOIN price_plan p ON p.tenant_id = r.tenant_id AND p.product_id = r.id
       WHERE r.tenant_id = $1 AND ${column} = $2
         AND (EXISTS (SELECT 1 FROM offered_price o WHERE o.tenant_id = $1 AND o.price_plan_id = p.id)
           OR EXISTS (
             SELECT 1 FROM subscription_item i JOIN subscription s ON s.tenant_id = i.tenant_id AND s.id = i.subscription_id
             WHERE i.tenant_id = $1 AND i.price_plan_id = p.id AND s.status = 'offer'))
     ) AS "isOffered"`,
    [tx.tenantId, id],
  );
  if (found?.isOffered)
    throw new DomainError('tax_offered', {
      detail: 'Published offers promise totals with this tax: it can change when they are accepted or archived.',
    });
}
