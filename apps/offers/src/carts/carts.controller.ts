import { Body, Controller, Get, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { LinkCartDto, NewCartDto } from './cart.dto.js';
import { carts } from './cart.row.js';
import { CartSchema } from './cart.schema.js';
import { ChangeCart } from './change-cart.js';
import { SaveCart } from './save-cart.js';

const tag = 'Checkout';
const REFUSALS =
  '`unknown_reference`, `customer_archived`, `coupon_exhausted`, `coupon_expired`, `coupon_disabled`, ' +
  '`coupon_not_applicable`, `coupon_not_allowed`, `currency_mix`';

/** Carts that staff or a program fills. */
@Controller()
export class CartsController {
  constructor(
    private readonly database: Database,
    private readonly change: ChangeCart,
    private readonly save: SaveCart,
  ) {}

  @Post('checkout/carts')
  @Operation({
    id: 'createCart',
    summary: 'Fill a cart for a buyer',
    description:
      'It can be confirmed for 24 hours. Totals are those of its first invoice. Only this answer shows `token` and `url`.',
    shownOnce: ['token', 'url'],
    success: 201,
    tag,
    permission: 'cart:write',
    response: CartSchema,
    examples: { request: { items: [{ pricePlan: '0190a000-0000-7000-8000-000000000001', quantity: '2' }] } },
    errors: { 422: REFUSALS },
  })
  create(@Caller() caller: Principal, @Body() body: NewCartDto) {
    return this.change.create(caller.tenantId, body);
  }

  @Get('checkout/carts/:id')
  @Operation({ id: 'getCart', summary: 'Get a cart', tag, permission: 'cart:read', response: CartSchema })
  get(@Caller() caller: Principal, @IdParam() id: string) {
    return this.database.tenant(
      caller.tenantId,
      async (tx) => {
        const cart = await carts.get(tx, id);
        if (!cart) throw notFound('The cart');
        return this.save.shown(tx, cart);
      },
      { readOnly: true },
    );
  }

  @Post('checkout-links/:id/cart')
  @Operation({
    id: 'createCartByLink',
    summary: 'Begin a cart with the items of a checkout link',
    description: 'Only this answer shows `token` and `url`.',
    shownOnce: ['token', 'url'],
    success: 201,
    tag,
    permission: 'cart:write',
    response: CartSchema,
    errors: { 422: `\`link_disabled\`, \`link_not_open\`, \`sold_out\`, \`no_longer_sold\`, ${REFUSALS}` },
  })
  createByLink(@Caller() caller: Principal, @IdParam() id: string, @Body() body: LinkCartDto) {
    return this.change.createByLink(caller.tenantId, id, body);
  }
}
