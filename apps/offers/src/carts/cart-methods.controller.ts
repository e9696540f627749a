import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import type { CustomerState, Principal } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Caller, Operation } from '@kontor/service-kit';
import { assertChangeable, assertRedirect } from '../domain/carts/cart.js';
import { PrepareMethodDto } from './cart.dto.js';
import { CartAddressesSchema, CartMethodsSchema, PreparedMethodSchema } from './cart-methods.schema.js';
import type { CartRow } from './cart.row.js';
import { OpenCart } from './open-cart.js';
import { PayCart } from './pay-cart.js';

const tag = 'Public checkout';
const errors = { 404: '`not_found`', 503: '`service_unavailable`' } as const;

/**
 * How a cart can be paid, and by whom. What a customer has stored is shown to that customer, by its own token, and to the tenant; never to
 * who has the link alone.
 */
@Controller('public/checkout/cart/:id')
export class CartMethodsController {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly openCart: OpenCart,
    private readonly paying: PayCart,
  ) {}

  @Get('payment-methods')
  @Operation({
    id: 'listCartPaymentMethods',
    summary: 'How the cart can be paid',
    description: "`stored` are the customer's own; empty unless that customer, or the tenant, asks.",
    tag,
    permission: null,
    response: CartMethodsSchema,
    errors,
  })
  async methods(@Caller() caller: Principal | undefined, @Param('id') id: string) {
    const cart = await this.openCart.read(await this.openCart.find(id, caller, 'cart:read'));
    const { gateways } = await this.paying.offered(cart);
    const customerId = this.openCart.knownCustomer(cart, caller);
    return { gateways, stored: customerId === null ? [] : await this.paying.stored(cart, customerId) };
  }

  @Get('invoice-addresses')
  @Operation({
    id: 'listCartInvoiceAddresses',
    summary: "The customer's addresses, for `invoiceAddressId`",
    description: 'Empty unless that customer, or the tenant, asks.',
    tag,
    permission: null,
    response: CartAddressesSchema,
    errors,
  })
  async addresses(@Caller() caller: Principal | undefined, @Param('id') id: string) {
    const cart = await this.openCart.read(await this.openCart.find(id, caller, 'cart:read'));
    const customerId = this.openCart.knownCustomer(cart, caller);
    const customer =
      customerId === null
        ? null
        : await this.database.tenant(
            cart.tenantId,
            (tx) => this.replicas.get<CustomerState>(tx, 'customer', customerId),
            { readOnly: true },
          );
    return { data: (customer?.addresses ?? []).filter(({ status }) => status === 'active').map(shownAddress) };
  }

  @Post('prepare-payment-method')
  @Operation({
    id: 'prepareCartPaymentMethod',
    summary: 'Have a way to pay ready before the order',
    description:
      'For a customer who is logged in, or the tenant. A provider may want the payer on its page first (`actionUrl`); ' +
      'then the order is confirmed with `paymentMethodId`.',
    tag,
    permission: null,
    response: PreparedMethodSchema,
    success: 201,
    errors: {
      ...errors,
      410: '`cart_expired`',
      422: '`customer_required`, `payment_method_refused`, `redirect_not_allowed`',
    },
  })
  async prepare(
    @Caller() caller: Principal | undefined,
    @Param('id') id: string,
    @Body() { newPaymentMethod }: PrepareMethodDto,
  ) {
    const cart = await this.openCart.read(await this.openCart.find(id, caller, 'cart:write'));
    assertChangeable(cart, await this.database.now(cart.tenantId), 'prepare a payment method for');
    const customerId = this.openCart.knownCustomer(cart, caller);
    if (customerId === null) throw customerRequired();
    const { redirectUrl } = newPaymentMethod;
    if (typeof redirectUrl === 'string') assertRedirect(redirectUrl, cart);
    const asked: CartRow = { ...cart, confirmation: typeof redirectUrl === 'string' ? { ...NONE, redirectUrl } : null };
    const made = await this.paying.addMethod(asked, customerId, newPaymentMethod, null);
    return {
      status: made.status,
      paymentMethodId: made.paymentMethod?.id ?? null,
      actionUrl: made.actionUrl ?? null,
    };
  }
}

const NONE = {
  email: null,
  phone: null,
  language: null,
  invoiceAddressId: null,
  paymentMethodId: null,
  newPaymentMethod: null,
  expectedTotal: null,
} as const;

const shownAddress = ({
  id,
  type,
  default: byDefault,
  companyName,
  firstName,
  lastName,
  ...place
}: CustomerState['addresses'][number]) => ({
  id,
  type,
  default: byDefault,
  companyName,
  firstName,
  lastName,
  street: place.street,
  houseNumber: place.houseNumber,
  zip: place.zip,
  city: place.city,
  addition: place.addition,
  countryCode: place.countryCode,
  vatId: place.vatId,
});

const customerRequired = (): DomainError =>
  new DomainError('customer_required', {
    detail: 'Only a customer who is known can have something ready before the order.',
  });
