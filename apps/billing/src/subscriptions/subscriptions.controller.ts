import type { Principal } from '@kontor/contracts';
import { Database, type TenantTx } from '@kontor/persistence';
import {
  Caller,
  IdParam,
  List,
  type ListQuery,
  Operation,
  ownCustomerId,
  ownList,
  refuseForeign,
} from '@kontor/service-kit';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { ChangeDiscounts } from './change-discounts.js';
import { SUBSCRIPTION_STATUSES } from '../domain/subscriptions/subscription.js';
import { ChangeSubscription } from './change-subscription.js';
import { CreateSubscription } from './create-subscription.js';
import { SubscriptionLifecycle } from './lifecycle.js';
import {
  ActivateDto,
  AddProductsDto,
  BillingGroupChoiceDto,
  CancelDto,
  ExtendTrialDto,
  InvoiceAddressDto,
  NewDiscountDto,
  NewSubscriptionDto,
  PaymentMethodChoiceDto,
  ResumeDto,
  SubscriptionDto,
  TerminateDto,
} from './subscription.dto.js';
import { ReadSubscriptions } from './subscription.read.js';
import { subscriptionSchema } from './subscription.schema.js';
import { withoutInternals } from './without-internals.js';

const tag = 'Subscriptions';
const write = { tag, permission: 'subscription:write', response: subscriptionSchema } as const;
const SUBSCRIPTION_LIST = {
  filters: { customer: 'uuid', plan: 'uuid', status: SUBSCRIPTION_STATUSES, externalId: 'text', number: 'text' },
  ranges: ['nextBillingDate'],
  order: ['number', 'createdAt'],
  search: true,
} as const;
const read = { tag, permission: 'subscription:read', response: subscriptionSchema } as const;

@Controller('subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly db: Database,
    private readonly create: CreateSubscription,
    private readonly lifecycle: SubscriptionLifecycle,
    private readonly change: ChangeSubscription,
    private readonly discounts: ChangeDiscounts,
    private readonly subscriptions: ReadSubscriptions,
  ) {}

  @Post()
  @Operation({
    id: 'createSubscription',
    summary: 'Create a subscription from a plan or from single items',
    success: 201,
    ...write,
  })
  createOne(@Caller() caller: Principal, @Body() body: NewSubscriptionDto) {
    return this.create.execute(caller.tenantId, body);
  }

  @Get()
  @Operation({
    id: 'listSubscriptions',
    summary: 'Subscriptions',
    description: 'A token that is bound to a customer gets its own.',
    customerTokens: true,
    errors: { 403: '`foreign_customer`' },
    ...read,
  })
  async list(@Caller() caller: Principal, @List(SUBSCRIPTION_LIST) list: ListQuery) {
    const found = await this.db.tenant(caller.tenantId, (tx) => this.subscriptions.list(tx, ownList(caller, list)), {
      readOnly: true,
    });
    return ownCustomerId(caller) === null ? found : { ...found, data: withoutInternals(found.data) };
  }

  @Get(':id')
  @Operation({
    id: 'getSubscription',
    summary: 'One subscription',
    description: 'A token that is bound to a customer gets its own; others do not exist for it.',
    customerTokens: true,
    ...read,
  })
  async get(@Caller() caller: Principal, @IdParam() id: string) {
    const json = await this.db.tenant(caller.tenantId, (tx) => this.subscriptions.get(tx, id), { readOnly: true });
    refuseForeign(caller, json.customer.id, 'Subscription');
    return ownCustomerId(caller) === null ? json : withoutInternals(json);
  }

  @Put(':id')
  @Operation({ id: 'replaceSubscription', summary: 'Replace name, references, contract and custom fields', ...write })
  replace(@Caller() caller: Principal, @IdParam() id: string, @Body() body: SubscriptionDto) {
    return this.in(caller, (tx) => this.change.replace(tx, id, body));
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({ id: 'deleteSubscription', summary: 'Delete a draft', success: 204, ...write })
  remove(@Caller() caller: Principal, @IdParam() id: string) {
    return this.in(caller, (tx) => this.change.remove(tx, id));
  }

  @Post(':id/discounts')
  @Operation({
    id: 'addSubscriptionDiscount',
    summary: 'Redeem a coupon, or give a discount by hand, for all lines that it is for',
    description:
      'Either `coupon`, or the terms of a discount by hand. Lines that are billed from now on have it; a line that is ' +
      'added later has what is left of it.',
    success: 201,
    ...write,
  })
  addDiscount(@Caller() caller: Principal, @IdParam() id: string, @Body() body: NewDiscountDto) {
    return this.in(caller, (tx) => this.discounts.addToSubscription(tx, id, body));
  }

  @Delete(':id/discounts/:discountId')
  @HttpCode(204)
  @Operation({
    id: 'removeSubscriptionDiscount',
    summary: 'Remove a discount from all lines that share it',
    description:
      'Named by the id of one of their applied discounts. What is billed stays; a redemption of which nothing was used is free again.',
    success: 204,
    ...write,
  })
  removeDiscount(@Caller() caller: Principal, @IdParam() id: string, @IdParam('discountId') discountId: string) {
    return this.in(caller, (tx) => this.discounts.removeFromSubscription(tx, id, discountId));
  }

  @Put(':id/activate')
  @Operation({ id: 'activateSubscription', summary: 'Activate a draft; its items become due', ...write })
  activate(@Caller() caller: Principal, @IdParam() id: string, @Body() body: ActivateDto) {
    return this.in(caller, (tx) => this.lifecycle.activate(tx, id, body));
  }

  @Put(':id/pause')
  @Operation({ id: 'pauseSubscription', summary: 'Pause; paused time is not billed', ...write })
  pause(@Caller() caller: Principal, @IdParam() id: string) {
    return this.in(caller, (tx) => this.lifecycle.pause(tx, id));
  }

  @Put(':id/resume')
  @Operation({ id: 'resumeSubscription', summary: 'Resume a paused subscription', ...write })
  resume(@Caller() caller: Principal, @IdParam() id: string, @Body() body: ResumeDto) {
    return this.in(caller, (tx) => this.lifecycle.resume(tx, id, body));
  }

  @Put(':id/cancel')
  @Operation({ id: 'cancelSubscription', summary: 'Declare the end; revocable until it is reached', ...write })
  cancel(@Caller() caller: Principal, @IdParam() id: string, @Body() body: CancelDto) {
    return this.in(caller, (tx) => this.lifecycle.cancel(tx, id, body));
  }

  @Put(':id/revoke-cancellation')
  @Operation({ id: 'revokeSubscriptionCancellation', summary: 'Take a pending cancellation back', ...write })
  revokeCancellation(@Caller() caller: Principal, @IdParam() id: string) {
    return this.in(caller, (tx) => this.lifecycle.revokeCancellation(tx, id));
  }

  @Put(':id/terminate')
  @Operation({ id: 'terminateSubscription', summary: 'End at once; nothing is billed any more', ...write })
  terminate(@Caller() caller: Principal, @IdParam() id: string, @Body() body: TerminateDto) {
    return this.in(caller, (tx) => this.lifecycle.terminate(tx, id, body));
  }

  @Put(':id/extend-trial')
  @Operation({ id: 'extendTrial', summary: 'Let a running trial end later', ...write })
  extendTrial(@Caller() caller: Principal, @IdParam() id: string, @Body() body: ExtendTrialDto) {
    return this.in(caller, (tx) => this.lifecycle.extendTrial(tx, id, body));
  }

  @Put(':id/revoke-trial')
  @Operation({ id: 'revokeTrial', summary: 'End a running trial now and bill the first period', ...write })
  revokeTrial(@Caller() caller: Principal, @IdParam() id: string) {
    return this.in(caller, (tx) => this.lifecycle.revokeTrial(tx, id));
  }

  @Put(':id/invoice-address')
  @Operation({
    id: 'setSubscriptionInvoiceAddress',
    summary: "Choose the invoice address; without one the customer's default applies",
    ...write,
  })
  invoiceAddress(@Caller() caller: Principal, @IdParam() id: string, @Body() body: InvoiceAddressDto) {
    return this.in(caller, (tx) => this.change.invoiceAddress(tx, id, body.invoiceAddress ?? null));
  }

  @Put(':id/billing-group')
  @Operation({ id: 'setSubscriptionBillingGroup', summary: 'Align the billing to common dates', ...write })
  billingGroup(@Caller() caller: Principal, @IdParam() id: string, @Body() body: BillingGroupChoiceDto) {
    return this.in(caller, (tx) => this.change.billingGroup(tx, id, body.billingGroup ?? null));
  }

  @Patch(':id/payment-method')
  @Operation({
    id: 'setSubscriptionPaymentMethod',
    summary: "Choose the payment method; null: the customer's default",
    ...write,
  })
  paymentMethod(@Caller() caller: Principal, @IdParam() id: string, @Body() body: PaymentMethodChoiceDto) {
    return this.in(caller, (tx) =>
      this.change.paymentMethod(tx, id, body.paymentMethodId ?? body.paymentMethod ?? null),
    );
  }

  @Post(':id/products')
  @Operation({ id: 'addSubscriptionProducts', summary: 'Add items to a subscription', success: 201, ...write })
  addProducts(@Caller() caller: Principal, @IdParam() id: string, @Body() body: AddProductsDto) {
    return this.in(caller, (tx) => this.change.addProducts(tx, id, body));
  }

  private in<T>(caller: Principal, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return this.db.tenant(caller.tenantId, work);
  }
}
