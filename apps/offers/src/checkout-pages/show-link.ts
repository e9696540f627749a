import { DomainError, isUuid } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CART_PATH } from '../carts/cart-links.js';
import { ChangeCart } from '../carts/change-cart.js';
import { AskOnSale } from '../checkout-links/ask-on-sale.js';
import { CHECKOUT_PATH } from '../checkout-links/represent-link.js';
import { type CheckoutLinkRow, checkoutLinks } from '../checkout-links/link.row.js';
import { closedBy } from '../domain/carts/cart.js';
import { linkPage } from '../pages/cart-page.js';
import { cartResultPage } from '../pages/cart-result-page.js';
import type { PageLanguage, ShownPage } from '../pages/layout.js';
import { type AskedPage, NO_SURROUNDINGS, pageLanguage, ReadSurroundings, type Surroundings } from './surroundings.js';

/** The page of a checkout link, and the cart that begins there. */
@Injectable()
export class ShowLink {
  constructor(
    private readonly database: Database,
    private readonly surroundings: ReadSurroundings,
    private readonly change: ChangeCart,
    private readonly onSale: AskOnSale,
  ) {}

  async execute(asked: AskedPage): Promise<ShownPage> {
    const found = await this.find(asked.id);
    if (!found) return gone(pageLanguage(asked, null));
    const { link, around } = found;
    const language = pageLanguage(asked, link.page);
    const [state] = await this.onSale.states(link.tenantId, [link]);
    if (state === 'no_longer_sold') return unsold(language, around);
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
    const { link, around } = found;
    const language = pageLanguage(asked, link.page);
    try {
      const cart = await this.change.createByLink(link.tenantId, link.id, {}, language);
      return { status: 303, location: `${CART_PATH}/${cart.token}?lang=${language}` };
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      return error.reason === 'no_longer_sold' ? unsold(language, around) : gone(language);
    }
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
        return row && closedBy(row, tx.now) === null ? row : null;
      },
      { readOnly: true },
    );
    const around = link && (await this.surroundings.execute(found.tenantId, link.page));
    return link && around && { link, around };
  }
}

/** What the link sells was archived. */
const unsold = (language: PageLanguage, around: Surroundings): ShownPage => ({
  status: 410,
  look: around.look,
  page: cartResultPage('unsold', { ...around, language, message: null, goOn: null }),
});

export const gone = (language: PageLanguage): ShownPage => ({
  status: 404,
  page: cartResultPage('gone', { language, ...NO_SURROUNDINGS, message: null, goOn: null }),
});
