import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListOptions, type ListQuery, Operation } from '@kontor/service-kit';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import { MeasurementDto } from './catalogue.dto.js';
import { measurementSchema } from './catalogue.schema.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { measurements } from './resources.js';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';

const STATUSES = ['active', 'archived'] as const;
const listMeasurements = {
  filters: { status: STATUSES, code: 'text', type: ['recurring', 'metered'] },
  order: ['code', 'createdAt'],
  search: true,
} satisfies ListOptions;

@Controller('catalogue/measurements')
export class MeasurementsController {
  constructor(
    private readonly read: ReadCatalogue,
    private readonly create: CreateCatalogueObject,
    private readonly replace: ReplaceCatalogueObject,
    private readonly archive: ArchiveCatalogueObject,
    private readonly remove: DeleteCatalogueObject,
  ) {}

  @Get()
  @Operation({
    id: 'listMeasurements',
    summary: 'List measurements',
    tag: 'Catalogue',
    permission: 'measurement:read',
    response: measurementSchema,
  })
  list(@Caller() { tenantId }: Principal, @List(listMeasurements) list: ListQuery) {
    return this.read.list(tenantId, measurements, list);
  }

  @Post()
  @Operation({
    id: 'createMeasurement',
    summary: 'Create a measurement',
    tag: 'Catalogue',
    permission: 'measurement:write',
    success: 201,
    response: measurementSchema,
  })
  post(@Caller() { tenantId }: Principal, @Body() body: MeasurementDto) {
    return this.create.execute(tenantId, measurements, body);
  }

  @Get(':id')
  @Operation({
    id: 'getMeasurement',
    summary: 'Get a measurement',
    tag: 'Catalogue',
    permission: 'measurement:read',
    response: measurementSchema,
  })
  one(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.read.one(tenantId, measurements, id);
  }

  @Put(':id')
  @Operation({
    id: 'updateMeasurement',
    summary: 'Replace a measurement',
    tag: 'Catalogue',
    permission: 'measurement:write',
    response: measurementSchema,
  })
  put(@Caller() { tenantId }: Principal, @IdParam('id') id: string, @Body() body: MeasurementDto) {
    return this.replace.execute(tenantId, measurements, id, body);
  }

  @Put(':id/archive')
  @Operation({
    id: 'archiveMeasurement',
    summary: 'Archive a measurement',
    tag: 'Catalogue',
    permission: 'measurement:write',
    response: measurementSchema,
  })
  putArchive(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.archive.execute(tenantId, measurements, id);
  }

  @Delete(':id')
  @Operation({
    id: 'deleteMeasurement',
    summary: 'Delete a measurement that nothing uses',
    tag: 'Catalogue',
    permission: 'measurement:write',
    success: 204,
  })
  delete(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<void> {
    return this.remove.execute(tenantId, measurements, id);
  }
}
