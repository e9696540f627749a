import { isUuid, notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type CartRow, carts } from './cart.row.js';
import type { PublicCartJson } from './cart.schema.js';
import { representPublicCart } from './represent-cart.js';
import { SaveCart } from './save-cart.js';

/** Finds the cart that an id leads to, before its tenant is known. */
@Injectable()
export class OpenCart {
  constructor(
    private readonly database: Database,
    private readonly save: SaveCart,
  ) {}

  /** @throws DomainError `not_found` */
  async execute(id: string): Promise<PublicCartJson> {
    const tenantId = await this.tenantOf(id);
    return this.shown(await this.read(tenantId, id));
  }

  /** @throws DomainError `not_found` */
  read(tenantId: string, id: string): Promise<CartRow> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const cart = await carts.get(tx, id);
        if (!cart) throw notFound('The cart');
        return cart;
      },
      { readOnly: true },
    );
  }

  shown(cart: CartRow): Promise<PublicCartJson> {
    return this.database.tenant(
      cart.tenantId,
      async (tx) => representPublicCart(cart, await this.save.customerOf(tx, cart)),
      { readOnly: true },
    );
  }

  /** @throws DomainError `not_found` */
  async tenantOf(id: string): Promise<string> {
    if (!isUuid(id)) throw notFound('The cart');
    const [found] = await this.database.system((sql) =>
      sql.query<{ tenantId: string }>('SELECT tenant_id AS "tenantId" FROM cart_by_id($1)', [id]),
    );
    if (!found) throw notFound('The cart');
    return found.tenantId;
  }
}
