import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListOptions, type ListQuery, Operation } from '@kontor/service-kit';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import { PRODUCT_TYPES, ProductDto } from './catalogue.dto.js';
import { productSchema } from './catalogue.schema.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { products } from './products.resource.js';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';

const STATUSES = ['active', 'archived'] as const;
const listProducts = {
  filters: { status: STATUSES, type: PRODUCT_TYPES, name: 'text', productNumber: 'text', productFamily: 'uuid', taxGroup: 'uuid' },
  order: ['name', 'productNumber', 'createdAt'],
  search: true,
} satisfies ListOptions;

@Controller('catalogue/products')
export class ProductsController {
  constructor(
    private readonly read: ReadCatalogue,
    private readonly create: CreateCatalogueObject,
    private readonly replace: ReplaceCatalogueObject,
    private readonly archive: ArchiveCatalogueObject,
    private readonly remove: DeleteCatalogueObject,
  ) {}

  @Get()
  @Operation({ id: 'listProducts', summary: 'List products', tag: 'Catalogue', permission: 'product:read', response: productSchema })
  list(@Caller() { tenantId }: Principal, @List(listProducts) list: ListQuery) {
    return this.read.list(tenantId, products, list);
  }

  @Post()
  @Operation({
    id: 'createProduct',
    summary: 'Create a product',
    tag: 'Catalogue',
    permission: 'product:write',
    success: 201,
    response: productSchema,
  })
  post(@Caller() { tenantId }: Principal, @Body() body: ProductDto) {
    return this.create.execute(tenantId, products, body);
  }

  @Get(':id')
  @Operation({ id: 'getProduct', summary: 'Get a product', tag: 'Catalogue', permission: 'product:read', response: productSchema })
  one(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.read.one(tenantId, products, id);
  }

  @Put(':id')
  @Operation({ id: 'updateProduct', summary: 'Replace a product', tag: 'Catalogue', permission: 'product:write', response: productSchema })
  put(@Caller() { tenantId }: Principal, @IdParam('id') id: string, @Body() body: ProductDto) {
    return this.replace.execute(tenantId, products, id, body);
  }

  @Put(':id/archive')
  @Operation({ id: 'archiveProduct', summary: 'Archive a product', tag: 'Catalogue', permission: 'product:write', response: productSchema })
  putArchive(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.archive.execute(tenantId, products, id);
  }

  @Delete(':id')
  @Operation({
    id: 'deleteProduct',
    summary: 'Delete a product that nothing uses',
    tag: 'Catalogue',
    permission: 'product:write',
    success: 204,
  })
  delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    return this.remove.execute(tenantId, products, id);
  }
}
