import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListOptions, type ListQuery, Operation } from '@kontor/service-kit';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import { TAX_GROUP_TYPES, TaxGroupDto } from './catalogue.dto.js';
import { taxGroupSchema } from './catalogue.schema.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { taxGroups } from './resources.js';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';

const STATUSES = ['active', 'archived'] as const;
const listTaxGroups = {
  filters: { status: STATUSES, type: TAX_GROUP_TYPES },
  order: ['createdAt'],
  search: true,
} satisfies ListOptions;

@Controller('tax-groups')
export class TaxGroupsController {
  constructor(
    private readonly read: ReadCatalogue,
    private readonly create: CreateCatalogueObject,
    private readonly replace: ReplaceCatalogueObject,
    private readonly archive: ArchiveCatalogueObject,
    private readonly remove: DeleteCatalogueObject,
  ) {}

  @Get()
  @Operation({ id: 'listTaxGroups', summary: 'List tax groups', tag: 'Catalogue', permission: 'tax-group:read', response: taxGroupSchema })
  list(@Caller() { tenantId }: Principal, @List(listTaxGroups) list: ListQuery) {
    return this.read.list(tenantId, taxGroups, list);
  }

  @Post()
  @Operation({
    id: 'createTaxGroup',
    summary: 'Create a tax group',
    tag: 'Catalogue',
    permission: 'tax-group:write',
    success: 201,
    response: taxGroupSchema,
  })
  post(@Caller() { tenantId }: Principal, @Body() body: TaxGroupDto) {
    return this.create.execute(tenantId, taxGroups, body);
  }

  @Get(':id')
  @Operation({ id: 'getTaxGroup', summary: 'Get a tax group', tag: 'Catalogue', permission: 'tax-group:read', response: taxGroupSchema })
  one(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.read.one(tenantId, taxGroups, id);
  }

  @Put(':id')
  @Operation({
    id: 'updateTaxGroup',
    summary: 'Replace a tax group',
    tag: 'Catalogue',
    permission: 'tax-group:write',
    response: taxGroupSchema,
  })
  put(@Caller() { tenantId }: Principal, @IdParam('id') id: string, @Body() body: TaxGroupDto) {
    return this.replace.execute(tenantId, taxGroups, id, body);
  }

  @Put(':id/archive')
  @Operation({
    id: 'archiveTaxGroup',
    summary: 'Archive a tax group',
    tag: 'Catalogue',
    permission: 'tax-group:write',
    response: taxGroupSchema,
  })
  putArchive(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.archive.execute(tenantId, taxGroups, id);
  }

  @Delete(':id')
  @Operation({
    id: 'deleteTaxGroup',
    summary: 'Delete a tax group that nothing uses',
    tag: 'Catalogue',
    permission: 'tax-group:write',
    success: 204,
  })
  delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    return this.remove.execute(tenantId, taxGroups, id);
  }
}
