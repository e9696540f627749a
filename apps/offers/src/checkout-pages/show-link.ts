import { DomainError, isUuid } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CART_PATH } from '../carts/cart-links.js';
import { ChangeCart } from '../carts/change-cart.js';
import { CHECKOUT_PATH } from '../checkout-links/links.js';
import { type CheckoutLinkRow, checkoutLinks } from '../checkout-links/link.row.js';
import { assertOnSale } from '../domain/carts/cart.js';
import { linkPage } from '../pages/cart-page.js';
import { cartResultPage } from '../pages/cart-result-page.js';
import type { PageLanguage } from '../pages/layout.js';
import {
  type AskedPage,
  NO_SURROUNDINGS,
  pageLanguage,
  ReadSurroundings,
  type ShownPage,
  type Surroundings,
} from './surroundings.js';

/** The page of a checkout link, and the cart that begins there. */
@Injectable()
export class ShowLink {
  constructor(
    private readonly database: Database,
    private readonly surroundings: ReadSurroundings,
    private readonly change: ChangeCart,
  ) {}

  async execute(asked: AskedPage): Promise<ShownPage> {
    const found = await this.find(asked.id);
    if (!found) return gone(pageLanguage(asked, null));
    const { link, around } = found;
    const language = pageLanguage(asked, link.page);
    const path = `${CHECKOUT_PATH}/${link.id}/${link.slug}`;
    return {
      status: 200,
      look: around.look,
      page: linkPage({ ...around, language, languages: link.page.languages, path, name: link.name }),
    };
  }

  /** Begins a cart, as a button asked for. */
  async begin(asked: AskedPage): Promise<ShownPage> {
    const found = await this.find(asked.id);
    if (!found) return gone(pageLanguage(asked, null));
    const { link } = found;
    const language = pageLanguage(asked, link.page);
    const cart = await this.change.createByLink(link.tenantId, link.id, {}, language);
    return { status: 303, location: `${CART_PATH}/${cart.token}?lang=${language}` };
  }

  /** A link that sells at present. */
  private async find(id: string): Promise<{ link: CheckoutLinkRow; around: Surroundings } | null> {
    if (!isUuid(id)) return null;
    const [found] = await this.database.system((sql) =>
      sql.query<{ tenantId: string }>('SELECT tenant_id AS "tenantId" FROM checkout_link_by_id($1)', [id]),
    );
    if (!found) return null;
    const link = await this.database.tenant(
      found.tenantId,
      async (tx) => {
        const row = await checkoutLinks.get(tx, id);
        try {
          if (row) assertOnSale(row, tx.now);
          return row;
        } catch (error) {
          if (error instanceof DomainError) return null;
          throw error;
        }
      },
      { readOnly: true },
    );
    const around = link && (await this.surroundings.execute(found.tenantId, link.page));
    return link && around && { link, around };
  }
}

export const gone = (language: PageLanguage): ShownPage => ({
  status: 404,
  page: cartResultPage('gone', { language, ...NO_SURROUNDINGS, message: null, goOn: null }),
});
