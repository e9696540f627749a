import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListOptions, type ListQuery, Operation } from '@kontor/service-kit';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import { BILLING_GROUP_TYPES, BillingGroupDto } from './catalogue.dto.js';
import { billingGroupSchema } from './catalogue.schema.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { billingGroups } from './resources.js';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';

const STATUSES = ['active', 'archived'] as const;
const listBillingGroups = {
  filters: { status: STATUSES, type: BILLING_GROUP_TYPES, customer: 'uuid' },
  order: ['name', 'createdAt'],
  search: true,
} satisfies ListOptions;

@Controller('billing-groups')
export class BillingGroupsController {
  constructor(
    private readonly read: ReadCatalogue,
    private readonly create: CreateCatalogueObject,
    private readonly replace: ReplaceCatalogueObject,
    private readonly archive: ArchiveCatalogueObject,
    private readonly remove: DeleteCatalogueObject,
  ) {}

  @Get()
  @Operation({
    id: 'listBillingGroups',
    summary: 'List billing groups',
    tag: 'Billing groups',
    permission: 'billing-group:read',
    response: billingGroupSchema,
  })
  list(@Caller() { tenantId }: Principal, @List(listBillingGroups) list: ListQuery) {
    return this.read.list(tenantId, billingGroups, list);
  }

  @Post()
  @Operation({
    id: 'createBillingGroup',
    summary: 'Create a billing group',
    tag: 'Billing groups',
    permission: 'billing-group:write',
    success: 201,
    response: billingGroupSchema,
  })
  post(@Caller() { tenantId }: Principal, @Body() body: BillingGroupDto) {
    return this.create.execute(tenantId, billingGroups, body);
  }

  @Get(':id')
  @Operation({
    id: 'getBillingGroup',
    summary: 'Get a billing group',
    tag: 'Billing groups',
    permission: 'billing-group:read',
    response: billingGroupSchema,
  })
  one(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.read.one(tenantId, billingGroups, id);
  }

  @Put(':id')
  @Operation({
    id: 'updateBillingGroup',
    summary: 'Replace a billing group',
    tag: 'Billing groups',
    permission: 'billing-group:write',
    response: billingGroupSchema,
  })
  put(@Caller() { tenantId }: Principal, @IdParam('id') id: string, @Body() body: BillingGroupDto) {
    return this.replace.execute(tenantId, billingGroups, id, body);
  }

  @Put(':id/archive')
  @Operation({
    id: 'archiveBillingGroup',
    summary: 'Archive a billing group',
    tag: 'Billing groups',
    permission: 'billing-group:write',
    response: billingGroupSchema,
  })
  putArchive(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.archive.execute(tenantId, billingGroups, id);
  }

  @Delete(':id')
  @Operation({
    id: 'deleteBillingGroup',
    summary: 'Delete a billing group that nothing uses',
    tag: 'Billing groups',
    permission: 'billing-group:write',
    success: 204,
  })
  delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    return this.remove.execute(tenantId, billingGroups, id);
  }
}
