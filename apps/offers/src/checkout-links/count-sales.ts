import type { TenantTx } from '@kontor/persistence';
import { assertOnSale, soldOut } from '../domain/carts/cart.js';
import { type CheckoutLinkRow, checkoutLinks } from './link.row.js';

/**
 * Takes one of the sales that the link has left, until the order is made or refused.
 * @throws DomainError `link_disabled`, `link_not_open`, `sold_out`
 */
export async function takeSale(tx: TenantTx, linkId: string): Promise<void> {
  const [link] = await tx.query<CheckoutLinkRow>(
    `UPDATE checkout_link SET sold = sold + 1
     WHERE tenant_id = $1 AND id = $2 AND (max_sales IS NULL OR sold < max_sales) RETURNING ${checkoutLinks.select}`,
    [tx.tenantId, linkId],
  );
  if (!link) throw soldOut();
  assertOnSale({ ...link, sold: link.sold - 1 }, tx.now);
}

/** The order was refused. */
export async function giveSaleBack(tx: TenantTx, linkId: string): Promise<void> {
  await tx.query('UPDATE checkout_link SET sold = sold - 1 WHERE tenant_id = $1 AND id = $2', [tx.tenantId, linkId]);
}
