import type { Principal } from '@kontor/contracts';
import { isUuid, notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { ownCustomerId, permits } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { digestOf, isToken } from '../recipients/tokens.js';
import { type CartRow, carts } from './cart.row.js';
import type { PublicCartJson } from './cart.schema.js';
import { representPublicCart } from './represent-cart.js';
import { SaveCart } from './save-cart.js';

/** Where a cart is. */
export interface CartPlace {
  readonly tenantId: string;
  readonly id: string;
}

/** Finds the cart that a token leads to, before its tenant is known; or, by its id, for who may know it. */
@Injectable()
export class OpenCart {
  constructor(
    private readonly database: Database,
    private readonly save: SaveCart,
  ) {}

  /** @throws DomainError `not_found` */
  read({ tenantId, id }: CartPlace): Promise<CartRow> {
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

  /**
   * `key`: the token, which is all that anybody needs; or the id, for callers of the tenant with `permission` and for the customer whose cart it is.
   * @throws DomainError `not_found`
   */
  async find(key: string, caller: Principal | undefined, permission: 'cart:read' | 'cart:write'): Promise<CartPlace> {
    if (isToken(key)) return this.byToken(key);
    if (!caller || !isUuid(key)) throw notFound('The cart');
    const place = { tenantId: caller.tenantId, id: key.toLowerCase() };
    if (caller.kind === 'api_key' || caller.kind === 'user') {
      if (!permits(caller.permissions, permission)) throw notFound('The cart');
      return place;
    }
    if (caller.kind !== 'customer') throw notFound('The cart');
    const { customerId } = await this.read(place);
    if (customerId === null || customerId !== ownCustomerId(caller)) throw notFound('The cart');
    return place;
  }

  /** The cart's customer, where the caller may know what that customer has stored. */
  knownCustomer({ tenantId, customerId }: CartRow, caller: Principal | undefined): string | null {
    if (customerId === null || caller?.tenantId !== tenantId) return null;
    if (caller.kind === 'customer') return ownCustomerId(caller) === customerId ? customerId : null;
    const isStaff = caller.kind === 'api_key' || caller.kind === 'user';
    return isStaff && permits(caller.permissions, 'cart:write') ? customerId : null;
  }

  /** @throws DomainError `not_found` */
  async byToken(token: string): Promise<CartPlace> {
    const [found] = isToken(token)
      ? await this.database.system((sql) =>
          sql.query<CartPlace>('SELECT tenant_id AS "tenantId", id FROM cart_by_digest($1)', [digestOf(token)]),
        )
      : [];
    if (!found) throw notFound('The cart');
    return found;
  }
}
