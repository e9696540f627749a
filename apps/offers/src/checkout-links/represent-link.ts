import { closedBy } from '../domain/carts/cart.js';
import type { OnSaleState } from './ask-on-sale.js';
import { representPage } from './link-page.js';
import type { CheckoutLinkRow } from './link.row.js';
import type { CheckoutLinkJson } from './link.schema.js';

/** Page at which a link sells. */
export const CHECKOUT_PATH = '/public/checkout/links';

interface Circumstances {
  readonly sale: OnSaleState;
  readonly now: Date;
  readonly publicUrl: string;
}

export const represent = (link: CheckoutLinkRow, { sale, now, publicUrl }: Circumstances): CheckoutLinkJson => ({
  id: link.id,
  slug: link.slug,
  name: link.name,
  url: `${publicUrl}${CHECKOUT_PATH}/${link.id}/${link.slug}`,
  // The reason that a buyer would get.
  state: closedBy(link, now) ?? sale,
  items: link.items.map((item) => ({ ...item })),
  options: { ...link.options },
  afterCheckout: { ...link.afterCheckout },
  ...representPage(link.page),
  maxSales: link.maxSales,
  sold: link.sold,
  enabledFrom: link.enabledFrom?.toISOString() ?? null,
  enabledUntil: link.enabledUntil?.toISOString() ?? null,
  isEnabled: link.isEnabled,
  createdAt: link.createdAt.toISOString(),
  updatedAt: link.updatedAt.toISOString(),
});
