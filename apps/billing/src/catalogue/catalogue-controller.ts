import { Body, Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Replicas } from '@kontor/persistence';
import {
  Caller,
  IdParam,
  type JsonSchema,
  List,
  type ListOptions,
  type ListQuery,
  Operation,
  type OperationOptions,
} from '@kontor/service-kit';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import type { CatalogueResource, CatalogueRow } from './catalogue-resource.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';

/** The six operations on one kind of object of the catalogue: their paths, names and bodies. */
export interface CatalogueRoutes<R extends CatalogueRow, B extends object> {
  readonly path: string;
  readonly tag: string;
  /** The permissions are `<permission>:read` and `<permission>:write`. */
  readonly permission: string;
  /** Name of an object and of many in operation ids: `PricePlan`, `PricePlans`. */
  readonly names: readonly [singular: string, plural: string];
  /** The same in summaries: `price plan`, `price plans`. */
  readonly labels: readonly [singular: string, plural: string];
  readonly body: Type<B>;
  readonly response: JsonSchema;
  readonly list: ListOptions;
  readonly resource: (replicas: Replicas) => CatalogueResource<R, B>;
}

/** A controller with the operations list, create, get, replace, archive and delete. */
export function catalogueController<R extends CatalogueRow, B extends object>({
  path,
  tag,
  permission,
  names: [name, names],
  labels: [label, labels],
  body: Dto,
  response,
  list: listOptions,
  resource,
}: CatalogueRoutes<R, B>): Type<unknown> {
  const reading = { tag, permission: `${permission}:read`, response } satisfies Partial<OperationOptions>;
  const writing = { tag, permission: `${permission}:write`, response } satisfies Partial<OperationOptions>;

  @Controller(path)
  class CatalogueController {
    private readonly resource: CatalogueResource<R, B>;

    constructor(
      replicas: Replicas,
      private readonly readCatalogue: ReadCatalogue,
      private readonly createObject: CreateCatalogueObject,
      private readonly replaceObject: ReplaceCatalogueObject,
      private readonly archiveObject: ArchiveCatalogueObject,
      private readonly deleteObject: DeleteCatalogueObject,
    ) {
      this.resource = resource(replicas);
    }

    @Get()
    @Operation({ id: `list${names}`, summary: `List ${labels}`, ...reading })
    list(@Caller() { tenantId }: Principal, @List(listOptions) list: ListQuery) {
      return this.readCatalogue.list(tenantId, this.resource, list);
    }

    @Post()
    @Operation({ id: `create${name}`, summary: `Create a ${label}`, ...writing, success: 201 })
    create(@Caller() { tenantId }: Principal, @Body() body: B) {
      return this.createObject.execute(tenantId, this.resource, body);
    }

    @Get(':id')
    @Operation({ id: `get${name}`, summary: `Get a ${label}`, ...reading })
    get(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
      return this.readCatalogue.get(tenantId, this.resource, id);
    }

    @Put(':id')
    @Operation({ id: `update${name}`, summary: `Replace a ${label}`, ...writing })
    replace(@Caller() { tenantId }: Principal, @IdParam('id') id: string, @Body() body: B) {
      return this.replaceObject.execute(tenantId, this.resource, id, body);
    }

    @Put(':id/archive')
    @Operation({ id: `archive${name}`, summary: `Archive a ${label}`, ...writing })
    archive(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
      return this.archiveObject.execute(tenantId, this.resource, id);
    }

    @Delete(':id')
    @Operation({
      id: `delete${name}`,
      summary: `Delete a ${label} that nothing uses`,
      tag,
      permission: writing.permission,
      success: 204,
    })
    delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
      return this.deleteObject.execute(tenantId, this.resource, id);
    }
  }

  // Validation and documentation read the body's class from the handler's parameter types, where the type parameter is lost.
  Reflect.defineMetadata('design:paramtypes', [Object, Dto], CatalogueController.prototype, 'create');
  Reflect.defineMetadata('design:paramtypes', [Object, String, Dto], CatalogueController.prototype, 'replace');
  return CatalogueController;
}
