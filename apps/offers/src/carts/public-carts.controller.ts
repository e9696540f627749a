import { Body, Controller, Get, Headers, Param, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import { changeQuantity } from '../domain/carts/cart.js';
import { BuyerAddressDto, CartCouponDto, ChangeQuantityDto, ConfirmCartDto, VatIdCheckDto } from './cart.dto.js';
import { ConfirmationSchema, PublicCartSchema } from './cart.schema.js';
import type { CartRow } from './cart.row.js';
import { buyerFrom, ChangeCart } from './change-cart.js';
import { ConfirmCart } from './confirm-cart.js';
import { type CartPlace, OpenCart } from './open-cart.js';

const tag = 'Public checkout';
const open = {
  tag,
  permission: null,
  response: PublicCartSchema,
  errors: {
    404: '`not_found`',
    409: '`request_in_progress`',
    410: '`cart_expired`',
    422: '`invalid_status_transition`, `validation_failed`, `coupon_exhausted`, `coupon_expired`, `coupon_disabled`, `coupon_not_applicable`, `no_longer_sold`',
    503: '`service_unavailable`',
  },
} as const;

/**
 * What buyers do with their cart. In the path is its token; or its id, when the request has an Authorization: of the tenant, or of the
 * customer whose cart it is.
 */
@Controller('public/checkout/cart/:id')
export class PublicCartsController {
  constructor(
    private readonly openCart: OpenCart,
    private readonly change: ChangeCart,
    private readonly confirmCart: ConfirmCart,
  ) {}

  @Get()
  @Operation({ id: 'getPublicCart', summary: 'A cart as its buyer sees it', ...open })
  async get(@Caller() caller: Principal | undefined, @Param('id') id: string) {
    return this.openCart.shown(await this.openCart.read(await this.openCart.find(id, caller, 'cart:read')));
  }

  @Put('change-quantity')
  @Operation({
    id: 'changeCartQuantity',
    summary: 'Buy more or less of something',
    description: 'Within the bounds of the link.',
    ...open,
  })
  quantity(@Caller() caller: Principal | undefined, @Param('id') id: string, @Body() body: ChangeQuantityDto) {
    const wanted = { itemId: body.item, quantity: body.quantity };
    return this.changed(caller, id, ({ tenantId, id: cartId }) =>
      this.change.execute(tenantId, cartId, (cart) => ({ items: changeQuantity(cart.items, wanted, cart.options) })),
    );
  }

  @Put('coupon')
  @Operation({ id: 'setCartCoupon', summary: 'Use a coupon, or none', ...open })
  coupon(@Caller() caller: Principal | undefined, @Param('id') id: string, @Body() body: CartCouponDto) {
    return this.changed(caller, id, ({ tenantId, id: cartId }) =>
      this.change.setCoupon(tenantId, cartId, body.couponCode?.trim() ?? null),
    );
  }

  @Put('invoice-address')
  @Operation({
    id: 'setCartInvoiceAddress',
    summary: 'Say who buys: tax and totals follow',
    description: 'Not for carts of a customer, whose addresses are known.',
    ...open,
  })
  address(@Caller() caller: Principal | undefined, @Param('id') id: string, @Body() body: BuyerAddressDto) {
    return this.changed(caller, id, ({ tenantId, id: cartId }) =>
      this.change.execute(tenantId, cartId, () => ({ buyer: buyerFrom(body) })),
    );
  }

  @Post('vat-id-check')
  @Operation({
    id: 'checkCartVatId',
    summary: 'Check a VAT id, with tax and totals as they are with it',
    description: '`vatIdStatus` in the answer; while it is not `valid` the buyer is taxed as a consumer.',
    success: 200,
    ...open,
  })
  vatId(@Caller() caller: Principal | undefined, @Param('id') id: string, @Body() body: VatIdCheckDto) {
    const vatId = body.vatId?.trim() ?? null;
    return this.changed(caller, id, ({ tenantId, id: cartId }) =>
      this.change.execute(tenantId, cartId, ({ buyer }) => ({ buyer: { ...(buyer ?? buyerFrom({})), vatId } })),
    );
  }

  @Put('confirm')
  @Operation({
    id: 'confirmCart',
    summary: 'Order what is in the cart',
    description: 'A second confirmation answers what the first one did.',
    ...open,
    response: ConfirmationSchema,
    errors: {
      ...open.errors,
      422: '`total_changed`, `sold_out`, `terms_not_accepted`, `company_required`, `payment_method_refused`, `no_longer_sold`, and what the sale refuses',
    },
  })
  async confirm(
    @Caller() caller: Principal | undefined,
    @Param('id') id: string,
    @Headers('accept-language') accepted: string | undefined,
    @Body() body: ConfirmCartDto,
  ) {
    const place = await this.openCart.find(id, caller, 'cart:write');
    const language = /^\s*(de|en)\b/i.exec(accepted ?? '')?.[1]?.toLowerCase() ?? null;
    const cart = await this.confirmCart.execute(place.tenantId, place.id, withoutConsent(body), language);
    return { ...(cart.result ?? NOTHING_YET), status: cart.status };
  }

  private async changed(caller: Principal | undefined, id: string, act: (place: CartPlace) => Promise<CartRow>) {
    const cart = await act(await this.openCart.find(id, caller, 'cart:write'));
    return this.openCart.shown(cart);
  }
}

/** How a mandate was consented to is known of our own page only. */
const withoutConsent = (body: ConfirmCartDto): ConfirmCartDto => {
  if (!body.newPaymentMethod) return body;
  const { mandateConsent: _, ...newPaymentMethod } = body.newPaymentMethod;
  return { ...body, newPaymentMethod };
};

const NOTHING_YET = { action: 'none', redirectUrl: null, confirmationMessage: null } as const;
