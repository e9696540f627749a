import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListOptions, type ListQuery, Operation } from '@kontor/service-kit';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import { UnitDto } from './catalogue.dto.js';
import { unitSchema } from './catalogue.schema.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { units } from './resources.js';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';

const STATUSES = ['active', 'archived'] as const;
const listUnits = {
  filters: { status: STATUSES, name: 'text' },
  order: ['name', 'createdAt'],
  search: true,
} satisfies ListOptions;

@Controller('catalogue/units')
export class UnitsController {
  constructor(
    private readonly read: ReadCatalogue,
    private readonly create: CreateCatalogueObject,
    private readonly replace: ReplaceCatalogueObject,
    private readonly archive: ArchiveCatalogueObject,
    private readonly remove: DeleteCatalogueObject,
  ) {}

  @Get()
  @Operation({ id: 'listUnits', summary: 'List units', tag: 'Catalogue', permission: 'product:read', response: unitSchema })
  list(@Caller() { tenantId }: Principal, @List(listUnits) list: ListQuery) {
    return this.read.list(tenantId, units, list);
  }

  @Post()
  @Operation({
    id: 'createUnit',
    summary: 'Create a unit',
    tag: 'Catalogue',
    permission: 'product:write',
    success: 201,
    response: unitSchema,
  })
  post(@Caller() { tenantId }: Principal, @Body() body: UnitDto) {
    return this.create.execute(tenantId, units, body);
  }

  @Get(':id')
  @Operation({ id: 'getUnit', summary: 'Get a unit', tag: 'Catalogue', permission: 'product:read', response: unitSchema })
  one(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.read.one(tenantId, units, id);
  }

  @Put(':id')
  @Operation({ id: 'updateUnit', summary: 'Replace a unit', tag: 'Catalogue', permission: 'product:write', response: unitSchema })
  put(@Caller() { tenantId }: Principal, @IdParam('id') id: string, @Body() body: UnitDto) {
    return this.replace.execute(tenantId, units, id, body);
  }

  @Put(':id/archive')
  @Operation({ id: 'archiveUnit', summary: 'Archive a unit', tag: 'Catalogue', permission: 'product:write', response: unitSchema })
  putArchive(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.archive.execute(tenantId, units, id);
  }

  @Delete(':id')
  @Operation({ id: 'deleteUnit', summary: 'Delete a unit that nothing uses', tag: 'Catalogue', permission: 'product:write', success: 204 })
  delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    return this.remove.execute(tenantId, units, id);
  }
}
