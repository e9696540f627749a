import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListOptions, type ListQuery, Operation } from '@kontor/service-kit';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import { PRICE_PLAN_TYPES, PricePlanDto } from './catalogue.dto.js';
import { pricePlanSchema } from './catalogue.schema.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { pricePlans } from './price-plans.resource.js';
import { Replicas } from '@kontor/persistence';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';

const STATUSES = ['active', 'archived'] as const;
const listPricePlans = {
  filters: { status: STATUSES, type: PRICE_PLAN_TYPES, currencyCode: 'text', product: 'uuid', customer: 'uuid' },
  order: ['createdAt'],
  search: true,
} satisfies ListOptions;

@Controller('price-plans')
export class PricePlansController {
  private readonly pricePlans: ReturnType<typeof pricePlans>;

  constructor(
    private readonly read: ReadCatalogue,
    private readonly create: CreateCatalogueObject,
    private readonly replace: ReplaceCatalogueObject,
    private readonly archive: ArchiveCatalogueObject,
    private readonly remove: DeleteCatalogueObject,
    replicas: Replicas,
  ) {
    this.pricePlans = pricePlans(replicas);
  }

  @Get()
  @Operation({
    id: 'listPricePlans',
    summary: 'List price plans',
    tag: 'Catalogue',
    permission: 'price-plan:read',
    response: pricePlanSchema,
  })
  list(@Caller() { tenantId }: Principal, @List(listPricePlans) list: ListQuery) {
    return this.read.list(tenantId, this.pricePlans, list);
  }

  @Post()
  @Operation({
    id: 'createPricePlan',
    summary: 'Create a price plan',
    tag: 'Catalogue',
    permission: 'price-plan:write',
    success: 201,
    response: pricePlanSchema,
  })
  post(@Caller() { tenantId }: Principal, @Body() body: PricePlanDto) {
    return this.create.execute(tenantId, this.pricePlans, body);
  }

  @Get(':id')
  @Operation({
    id: 'getPricePlan',
    summary: 'Get a price plan',
    tag: 'Catalogue',
    permission: 'price-plan:read',
    response: pricePlanSchema,
  })
  one(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.read.one(tenantId, this.pricePlans, id);
  }

  @Put(':id')
  @Operation({
    id: 'updatePricePlan',
    summary: 'Replace a price plan',
    tag: 'Catalogue',
    permission: 'price-plan:write',
    response: pricePlanSchema,
  })
  put(@Caller() { tenantId }: Principal, @IdParam('id') id: string, @Body() body: PricePlanDto) {
    return this.replace.execute(tenantId, this.pricePlans, id, body);
  }

  @Put(':id/archive')
  @Operation({
    id: 'archivePricePlan',
    summary: 'Archive a price plan',
    tag: 'Catalogue',
    permission: 'price-plan:write',
    response: pricePlanSchema,
  })
  putArchive(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.archive.execute(tenantId, this.pricePlans, id);
  }

  @Delete(':id')
  @Operation({
    id: 'deletePricePlan',
    summary: 'Delete a price plan that nothing uses',
    tag: 'Catalogue',
    permission: 'price-plan:write',
    success: 204,
  })
  delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    return this.remove.execute(tenantId, this.pricePlans, id);
  }
}
