import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { AddressState, Principal } from '@kontor/contracts';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import {
  Caller,
  IdParam,
  List,
  type ListOptions,
  type ListQuery,
  Operation,
  page,
  type Page,
} from '@kontor/service-kit';
import { CustomerSettingsDto } from '../settings/settings.dto.js';
import { AddressDto, SetParentDto } from './customer.dto.js';
import { findCustomer, listAddresses } from './customer.read.js';
import { addressSchema, customerSchema, customerSettingsSchema, hierarchyNodeSchema } from './customer.schema.js';
import { ChangeCustomerSettings, readCustomerSettings } from './customer-settings.js';
import { listChildren, listHierarchy } from './hierarchy.read.js';
import type { HierarchyNode } from './customer.schema.js';
import type { CustomerJson } from './customer.schema.js';
import { hierarchyEnabled, SetParent } from './set-parent.js';
import { WriteAddress } from './write-address.js';

const addressList = {
  filters: { type: ['TYPE_DEFAULT', 'TYPE_INVOICE'], status: ['active', 'archived'] },
  order: ['createdAt'],
} satisfies ListOptions;
const tag = 'Customers';

/** What belongs to a customer: addresses, its own settings, its place in the hierarchy. */
@Controller()
export class CustomerPartsController {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly writeAddress: WriteAddress,
    private readonly changeSettings: ChangeCustomerSettings,
    private readonly setParent: SetParent,
  ) {}

  @Get('customers/:id/addresses')
  @Operation({
    id: 'listCustomerAddresses',
    summary: 'List the addresses of a customer',
    tag,
    permission: 'customer:read',
    response: addressSchema,
  })
  addresses(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @List(addressList) list: ListQuery,
  ): Promise<Page<AddressState>> {
    return this.database.tenant(tenantId, (tx) => listAddresses(tx, id, list), { readOnly: true });
  }

  @Post('customers/:id/addresses')
  @Operation({
    id: 'createCustomerAddress',
    summary: 'Add an address, as the default of its type',
    tag,
    permission: 'customer:write',
    success: 201,
    response: addressSchema,
  })
  addAddress(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @Body() body: AddressDto,
  ): Promise<AddressState> {
    return this.writeAddress.add(tenantId, id, body);
  }

  @Put('customer-addresses/:id')
  @Operation({
    id: 'updateCustomerAddress',
    summary: 'Replace an address',
    tag,
    permission: 'customer:write',
    response: addressSchema,
  })
  replaceAddress(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @Body() body: AddressDto,
  ): Promise<AddressState> {
    return this.writeAddress.replace(tenantId, id, body);
  }

  @Post('customer-addresses/:id/default')
  @Operation({
    id: 'setDefaultCustomerAddress',
    summary: 'Make an address the default of its type',
    tag,
    permission: 'customer:write',
    success: 201,
    response: addressSchema,
  })
  makeDefault(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<AddressState> {
    return this.writeAddress.setDefault(tenantId, id, true);
  }

  @Delete('customer-addresses/:id/default')
  @Operation({
    id: 'unsetDefaultCustomerAddress',
    summary: 'Let an address be the default no longer',
    tag,
    permission: 'customer:write',
    success: 204,
  })
  async unsetDefault(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    await this.writeAddress.setDefault(tenantId, id, false);
  }

  @Get('customers/:id/settings')
  @Operation({
    id: 'getCustomerSettings',
    summary: 'Billing settings that the customer overrides',
    tag,
    permission: 'customer:read',
    response: customerSettingsSchema,
  })
  settings(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<Record<string, unknown>> {
    return this.database.tenant(tenantId, (tx) => readCustomerSettings(tx, id), { readOnly: true });
  }

  @Put('customers/:id/settings')
  @Operation({
    id: 'updateCustomerSettings',
    summary: 'Change the supplied overrides; null inherits',
    tag,
    permission: 'customer:write',
    response: customerSettingsSchema,
    errors: { 422: '`time_zone_in_use` once usage was billed by the days of the time zone' },
  })
  putSettings(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @Body() body: CustomerSettingsDto,
  ): Promise<Record<string, unknown>> {
    return this.changeSettings.execute(tenantId, id, { ...body });
  }

  @Put('customers/:id/set-parent')
  @Operation({
    id: 'setCustomerParent',
    summary: 'Make a customer the child of another',
    description:
      'With `invoicesTo: parent` the parent gets its invoices: what falls due of both on one day is one invoice, with a group per child. ' +
      'Their currencies must be the same.',
    tag,
    permission: 'customer:write',
    response: customerSchema,
  })
  parent(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @Body() body: SetParentDto,
  ): Promise<CustomerJson> {
    return this.setParent.execute(tenantId, id, {
      parentCustomerId: body.parentCustomerId,
      invoicesTo: body.invoicesTo ?? 'self',
    });
  }

  @Put('customers/:id/remove-parent')
  @Operation({
    id: 'removeCustomerParent',
    summary: 'Make a customer a top one',
    tag,
    permission: 'customer:write',
    response: customerSchema,
  })
  noParent(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<CustomerJson> {
    return this.setParent.execute(tenantId, id, { parentCustomerId: null, invoicesTo: 'self' });
  }

  @Get('customers/:id/children')
  @Operation({
    id: 'listCustomerChildren',
    summary: 'List the children of a customer',
    tag,
    permission: 'customer:read',
    response: customerSchema,
  })
  children(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @List() list: ListQuery,
  ): Promise<Page<CustomerJson>> {
    return this.ifHierarchy(tenantId, id, list, (tx) => listChildren(tx, id, list));
  }

  @Get('customers/:id/hierarchy')
  @Operation({
    id: 'getCustomerHierarchy',
    summary: 'The whole tree that a customer belongs to',
    tag,
    permission: 'customer:read',
    response: hierarchyNodeSchema,
  })
  hierarchy(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @List() list: ListQuery,
  ): Promise<Page<HierarchyNode>> {
    return this.ifHierarchy(tenantId, id, list, (tx) => listHierarchy(tx, id, list));
  }

  /** Without the feature there is nothing to see. */
  private ifHierarchy<T>(
    tenantId: string,
    id: string,
    list: ListQuery,
    work: (tx: TenantTx) => Promise<Page<T>>,
  ): Promise<Page<T>> {
    return this.database.tenant(tenantId, async (tx) => {
      await findCustomer(tx, id);
      return (await hierarchyEnabled(tx, this.replicas)) ? work(tx) : page<T>([], 0, list);
    });
  }
}
