import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListOptions, type ListQuery, Operation } from '@kontor/service-kit';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import { PLAN_STATUSES, PlanDto } from './catalogue.dto.js';
import { planSchema } from './catalogue.schema.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { plans } from './plans.resource.js';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';

const listPlans = {
  filters: { status: PLAN_STATUSES, code: 'text', family: 'uuid', allowCheckout: 'boolean' },
  order: ['name', 'code', 'createdAt'],
  search: true,
} satisfies ListOptions;

@Controller('plans')
export class PlansController {
  constructor(
    private readonly read: ReadCatalogue,
    private readonly create: CreateCatalogueObject,
    private readonly replace: ReplaceCatalogueObject,
    private readonly archive: ArchiveCatalogueObject,
    private readonly remove: DeleteCatalogueObject,
  ) {}

  @Get()
  @Operation({ id: 'listPlans', summary: 'List plans', tag: 'Catalogue', permission: 'product:read', response: planSchema })
  list(@Caller() { tenantId }: Principal, @List(listPlans) list: ListQuery) {
    return this.read.list(tenantId, plans, list);
  }

  @Post()
  @Operation({
    id: 'createPlan',
    summary: 'Create a plan',
    tag: 'Catalogue',
    permission: 'product:write',
    success: 201,
    response: planSchema,
  })
  post(@Caller() { tenantId }: Principal, @Body() body: PlanDto) {
    return this.create.execute(tenantId, plans, body);
  }

  @Get(':id')
  @Operation({ id: 'getPlan', summary: 'Get a plan', tag: 'Catalogue', permission: 'product:read', response: planSchema })
  one(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.read.one(tenantId, plans, id);
  }

  @Put(':id')
  @Operation({ id: 'updatePlan', summary: 'Replace a plan', tag: 'Catalogue', permission: 'product:write', response: planSchema })
  put(@Caller() { tenantId }: Principal, @IdParam('id') id: string, @Body() body: PlanDto) {
    return this.replace.execute(tenantId, plans, id, body);
  }

  @Put(':id/archive')
  @Operation({ id: 'archivePlan', summary: 'Archive a plan', tag: 'Catalogue', permission: 'product:write', response: planSchema })
  putArchive(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.archive.execute(tenantId, plans, id);
  }

  @Delete(':id')
  @Operation({ id: 'deletePlan', summary: 'Delete a plan that nothing uses', tag: 'Catalogue', permission: 'product:write', success: 204 })
  delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    return this.remove.execute(tenantId, plans, id);
  }
}
