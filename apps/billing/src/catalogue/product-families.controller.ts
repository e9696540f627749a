import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListOptions, type ListQuery, Operation } from '@kontor/service-kit';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import { ProductFamilyDto } from './catalogue.dto.js';
import { productFamilySchema } from './catalogue.schema.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { productFamilies } from './resources.js';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';

const STATUSES = ['active', 'archived'] as const;
const listProductFamilies = {
  filters: { status: STATUSES, name: 'text' },
  order: ['name', 'createdAt'],
  search: true,
} satisfies ListOptions;

@Controller('product-families')
export class ProductFamiliesController {
  constructor(
    private readonly read: ReadCatalogue,
    private readonly create: CreateCatalogueObject,
    private readonly replace: ReplaceCatalogueObject,
    private readonly archive: ArchiveCatalogueObject,
    private readonly remove: DeleteCatalogueObject,
  ) {}

  @Get()
  @Operation({
    id: 'listProductFamilies',
    summary: 'List product families',
    tag: 'Catalogue',
    permission: 'product-family:read',
    response: productFamilySchema,
  })
  list(@Caller() { tenantId }: Principal, @List(listProductFamilies) list: ListQuery) {
    return this.read.list(tenantId, productFamilies, list);
  }

  @Post()
  @Operation({
    id: 'createProductFamily',
    summary: 'Create a product family',
    tag: 'Catalogue',
    permission: 'product-family:write',
    success: 201,
    response: productFamilySchema,
  })
  post(@Caller() { tenantId }: Principal, @Body() body: ProductFamilyDto) {
    return this.create.execute(tenantId, productFamilies, body);
  }

  @Get(':id')
  @Operation({
    id: 'getProductFamily',
    summary: 'Get a product family',
    tag: 'Catalogue',
    permission: 'product-family:read',
    response: productFamilySchema,
  })
  one(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.read.one(tenantId, productFamilies, id);
  }

  @Put(':id')
  @Operation({
    id: 'updateProductFamily',
    summary: 'Replace a product family',
    tag: 'Catalogue',
    permission: 'product-family:write',
    response: productFamilySchema,
  })
  put(@Caller() { tenantId }: Principal, @IdParam('id') id: string, @Body() body: ProductFamilyDto) {
    return this.replace.execute(tenantId, productFamilies, id, body);
  }

  @Put(':id/archive')
  @Operation({
    id: 'archiveProductFamily',
    summary: 'Archive a product family',
    tag: 'Catalogue',
    permission: 'product-family:write',
    response: productFamilySchema,
  })
  putArchive(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.archive.execute(tenantId, productFamilies, id);
  }

  @Delete(':id')
  @Operation({
    id: 'deleteProductFamily',
    summary: 'Delete a product family that nothing uses',
    tag: 'Catalogue',
    permission: 'product-family:write',
    success: 204,
  })
  delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    return this.remove.execute(tenantId, productFamilies, id);
  }
}
