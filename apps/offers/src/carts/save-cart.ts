import { cartChangedV1, type CustomerState } from '@kontor/contracts';
import type { CustomerId } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { cancelDue, Replicas, scheduleDue, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CartLinks } from './cart-links.js';
import { type CartRow, carts } from './cart.row.js';
import type { CartJson } from './cart.schema.js';
import { representCart } from './represent-cart.js';

/** Due work: the end of a cart that nobody confirms, by cart id. */
export const CART_EXPIRY = 'offers.cart-expiry';
/** Due work: a cart that its buyer has left, by cart id. */
export const CART_REMINDER = 'offers.cart-reminder';
/** How long nobody has changed it then. */
const REMIND_AFTER_MS = 4 * 3_600_000;

export type CartNotice = 'cart.completed' | 'cart.paid' | 'cart.abandoned';

/** Stores carts and publishes them. */
@Injectable()
export class SaveCart {
  constructor(
    private readonly replicas: Replicas,
    private readonly links: CartLinks,
  ) {}

  /** Stores the cart with its next version, with its alarm and its event. One that is stored already is locked. */
  async execute(tx: TenantTx, cart: CartRow, notice: CartNotice | null): Promise<CartJson> {
    cart.version += 1;
    cart.updatedAt = tx.now;
    if (cart.version === 1) await carts.insert(tx, cart);
    else await carts.update(tx, cart);
    if (cart.status === 'open') await scheduleDue(tx, { kind: CART_EXPIRY, ref: cart.id, dueAt: cart.expiresAt });
    else await cancelDue(tx, CART_EXPIRY, cart.id);
    if (cart.page.sendReminder) await this.scheduleReminder(tx, cart);
    return this.publish(tx, cart, notice);
  }

  private async scheduleReminder(tx: TenantTx, { id, status, remindedAt }: CartRow): Promise<void> {
    if (status !== 'open' || remindedAt !== null) return cancelDue(tx, CART_REMINDER, id);
    await scheduleDue(tx, { kind: CART_REMINDER, ref: id, dueAt: new Date(tx.now.getTime() + REMIND_AFTER_MS) });
  }

  /** {@link execute} for the alarm itself, which ends its own item. */
  async expire(tx: TenantTx, cart: CartRow, notice: CartNotice | null): Promise<void> {
    cart.version += 1;
    cart.updatedAt = tx.now;
    await carts.update(tx, cart);
    await this.publish(tx, cart, notice);
  }

  async shown(tx: TenantTx, cart: CartRow): Promise<CartJson> {
    return representCart(cart, await this.customerOf(tx, cart));
  }

  /** As {@link shown}, with the way to it: for who made it. */
  withLink(json: CartJson, cart: Pick<CartRow, 'tenantId' | 'id'>): CartJson {
    return { ...json, token: this.links.tokenOf(cart), url: this.links.urlOf(cart) };
  }

  async customerOf(tx: TenantTx, { customerId }: CartRow): Promise<CustomerState | null> {
    return customerId === null ? null : this.replicas.get<CustomerState>(tx, 'customer', customerId);
  }

  private async publish(tx: TenantTx, cart: CartRow, notice: CartNotice | null): Promise<CartJson> {
    const json = await this.shown(tx, cart);
    const { id, version, status, linkId, subscriptionId, invoiceId } = cart;
    const customerId = cart.customerId as CustomerId | null;
    const data = { cart: { ...json, customer: customerId === null ? null : { id: customerId } } };
    await appendEvent(tx, cartChangedV1, {
      aggregateId: id,
      aggregateSeq: version,
      payload: {
        id,
        version,
        deleted: false,
        state: { id, status, customerId, checkoutLinkId: linkId, subscriptionId, invoiceId },
        notices: notice
          ? [
              {
                type: notice,
                objectId: id,
                data,
                customerId,
                activity: customerId === null ? null : { metadata: { cartId: id, subscriptionId, invoiceId } },
              },
            ]
          : [],
      },
    });
    return json;
  }
}
