import type { Principal } from '@kontor/contracts';
import {
  Caller,
  IdParam,
  List,
  type ListQuery,
  Operation,
  ownList,
  refuseForeign,
  sandboxOnly,
} from '@kontor/service-kit';
import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { GATEWAY_TRAITS, METHOD_STATUSES } from '../domain/payment-methods/payment-method.js';
import { CREATED_METHOD_SCHEMA, METHOD_SCHEMA } from './payment-method.schema.js';
import { CreatePaymentMethod } from './create-payment-method.js';
import { DeletePaymentMethod } from './delete-payment-method.js';
import { CreatePaymentMethodDto } from './payment-method.dto.js';
import { ReadPaymentMethods } from './payment-method.read.js';

const tag = 'Payment methods';

@Controller('payment-methods')
export class PaymentMethodsController {
  constructor(
    private readonly create: CreatePaymentMethod,
    private readonly remove: DeletePaymentMethod,
    private readonly read: ReadPaymentMethods,
  ) {}

  @Post()
  @Operation({
    id: 'createPaymentMethod',
    summary: 'Add a payment method to a customer',
    tag,
    permission: 'payment-method:add',
    response: CREATED_METHOD_SCHEMA,
    errors: { 403: '`sandbox_only` for the gateways `testing` and `fake_provider`, which move no money' },
  })
  add(@Caller() caller: Principal, @Body() dto: CreatePaymentMethodDto) {
    if (GATEWAY_TRAITS[dto.gateway].isTest && caller.mode !== 'sandbox')
      throw sandboxOnly(`The gateway ${dto.gateway} moves no money: it is for sandbox tenants only.`);
    return this.create.execute(caller.tenantId, dto);
  }

  @Get()
  @Operation({
    id: 'listPaymentMethods',
    summary: 'List payment methods',
    description: 'A token that is bound to a customer gets its own.',
    tag,
    permission: 'payment-method:read',
    customerTokens: true,
    errors: { 403: '`foreign_customer`' },
    response: METHOD_SCHEMA,
  })
  list(
    @Caller() caller: Principal,
    @List({
      filters: { customer: 'uuid', status: METHOD_STATUSES },
      order: ['creationDate'],
    })
    list: ListQuery,
  ) {
    return this.read.list(caller.tenantId, ownList(caller, list));
  }

  @Get(':id')
  @Operation({
    id: 'getPaymentMethod',
    summary: 'Get a payment method',
    description: 'A token that is bound to a customer gets its own; others do not exist for it.',
    tag,
    permission: 'payment-method:read',
    customerTokens: true,
    response: METHOD_SCHEMA,
  })
  async get(@Caller() caller: Principal, @IdParam('id') id: string) {
    const method = await this.read.get(caller.tenantId, id);
    refuseForeign(caller, method.customerId, 'The payment method');
    return method;
  }

  @Delete(':id')
  @Operation({
    id: 'deletePaymentMethod',
    summary: 'Remove a payment method',
    description: 'The default method goes only with a `newDefaultPaymentMethodId` when the customer has others.',
    tag,
    permission: 'payment-method:write',
    success: 204,
  })
  async delete(
    @Caller() caller: Principal,
    @IdParam('id') id: string,
    @List({ others: { newDefaultPaymentMethodId: 'uuid' }, paged: false }) query: ListQuery,
  ): Promise<void> {
    await this.remove.execute(caller.tenantId, id, query.others['newDefaultPaymentMethodId'] ?? null);
  }
}
