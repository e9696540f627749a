import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import {
  Caller,
  customerOf,
  IdParam,
  List,
  type ListOptions,
  type ListQuery,
  Operation,
  type Page,
} from '@kontor/service-kit';
import { ChangeCustomer } from './change-customer.js';
import { ChoosePaymentMethod } from './choose-payment-method.js';
import { CreateCustomer } from './create-customer.js';
import { ChoosePaymentMethodDto, CreateCustomerDto, ReplaceCustomerDto } from './customer.dto.js';
import { listCustomers, readCustomer } from './customer.read.js';
import { customerSchema } from './customer.schema.js';
import { DeleteCustomer } from './delete-customer.js';
import type { CustomerJson } from './customer.schema.js';

const customerList = {
  filters: {
    customerNumber: 'text',
    externalId: 'text',
    email: 'text',
    companyName: 'text',
    status: ['STATUS_ACTIVE', 'STATUS_ARCHIVED', 'STATUS_SUSPENDED'],
    parentCustomerId: 'uuid',
    customerGroupId: 'uuid',
    isParent: 'boolean',
    hasParent: 'boolean',
  },
  ranges: ['createdAt'],
  order: ['createdAt', 'customerNumber', 'companyName', 'lastName', 'email'],
  search: true,
} satisfies ListOptions;

const tag = 'Customers';

@Controller('customers')
export class CustomersController {
  constructor(
    private readonly database: Database,
    private readonly createCustomer: CreateCustomer,
    private readonly changeCustomer: ChangeCustomer,
    private readonly deleteCustomer: DeleteCustomer,
    private readonly choosePaymentMethod: ChoosePaymentMethod,
  ) {}

  @Get()
  @Operation({
    id: 'listCustomers',
    summary: 'List customers',
    tag,
    permission: 'customer:read',
    response: customerSchema,
  })
  list(@Caller() { tenantId }: Principal, @List(customerList) list: ListQuery): Promise<Page<CustomerJson>> {
    return this.database.tenant(tenantId, (tx) => listCustomers(tx, list), { pipelined: true });
  }

  @Post()
  @Operation({
    id: 'createCustomer',
    summary: 'Create a customer',
    tag,
    permission: 'customer:write',
    success: 201,
    response: customerSchema,
  })
  create(@Caller() { tenantId }: Principal, @Body() body: CreateCustomerDto): Promise<CustomerJson> {
    return this.createCustomer.execute(tenantId, body);
  }

  @Get(':id')
  @Operation({
    id: 'getCustomer',
    summary: 'Get a customer by its id or externalId',
    description: 'A token that is bound to a customer gets that one, by its id.',
    tag,
    permission: 'customer:read',
    customerTokens: true,
    errors: { 403: '`foreign_customer`' },
    response: customerSchema,
  })
  read(@Caller() caller: Principal, @Param('id') id: string): Promise<CustomerJson> {
    customerOf(caller, [id.toLowerCase()]);
    return this.database.tenant(caller.tenantId, (tx) => readCustomer(tx, id), { pipelined: true });
  }

  @Put(':id')
  @Operation({
    id: 'updateCustomer',
    summary: 'Replace a customer',
    description:
      'Fields that are left out take their default; the number stays. The address (street, houseNumber, zip, city, addition, countryCode) ' +
      'is replaced as a whole when street, zip or city is sent, and stays as a whole when none is.',
    tag,
    permission: 'customer:write',
    response: customerSchema,
  })
  replace(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @Body() body: ReplaceCustomerDto,
  ): Promise<CustomerJson> {
    return this.changeCustomer.execute(tenantId, id, body);
  }

  @Delete(':id')
  @Operation({
    id: 'deleteCustomer',
    summary: 'Delete a customer that nothing refers to',
    tag,
    permission: 'customer:write',
    success: 204,
  })
  delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    return this.deleteCustomer.execute(tenantId, id);
  }

  @Patch(':id/payment-method')
  @Operation({
    id: 'setCustomerPaymentMethod',
    summary: 'Choose the default payment method',
    tag,
    permission: 'customer:write',
    response: customerSchema,
  })
  paymentMethod(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @Body() body: ChoosePaymentMethodDto,
  ): Promise<CustomerJson> {
    return this.choosePaymentMethod.execute(tenantId, id, body.paymentMethodId);
  }
}
