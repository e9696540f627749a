import { Database } from '@kontor/persistence';
import { IdParam, Operation } from '@kontor/service-kit';
import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { readDeletion } from './read-deletion.js';
import { RequestDeletion } from './request-deletion.js';
import { RevokeDeletion } from './revoke-deletion.js';
import { TenantDeletionDto } from './tenant-deletion.dto.js';
import {
  keptExample,
  representDeletion,
  revokingExample,
  type TenantDeletionJson,
  tenantDeletionSchema,
  waitingExample,
} from './tenant-deletion.schema.js';

const tag = 'Tenant';

/** The operator deletes a tenant. */
@Controller('tenants')
export class AnyTenantDeletionController {
  constructor(
    private readonly db: Database,
    private readonly requestDeletion: RequestDeletion,
    private readonly revokeDeletion: RevokeDeletion,
  ) {}

  @Post(':id/deletion')
  @Operation({
    id: 'deleteAnyTenant',
    summary: 'Close any tenant, and delete it',
    description: 'As `POST /tenant/deletion`.',
    tag,
    permission: 'operator',
    success: 202,
    response: tenantDeletionSchema,
    examples: { request: { name: 'Backhaus Elbe GmbH' }, response: { ...waitingExample, status: 'closing' } },
  })
  request(@IdParam() id: string, @Body() body: TenantDeletionDto): Promise<TenantDeletionJson> {
    const { name, asLive } = body;
    return this.requestDeletion.execute(id, { name, asLive: asLive ?? false });
  }

  @Get(':id/deletion')
  @Operation({
    id: 'getAnyTenantDeletion',
    summary: 'How far the deletion of any tenant is',
    description: 'Also when nothing else is left of it.',
    tag,
    permission: 'operator',
    response: tenantDeletionSchema,
    examples: { response: keptExample },
  })
  async read(@IdParam() id: string): Promise<TenantDeletionJson> {
    return representDeletion(await readDeletion(this.db, id));
  }

  @Delete(':id/deletion')
  @Operation({
    id: 'revokeAnyTenantDeletion',
    summary: 'Take the deletion of any tenant back',
    description: 'As `DELETE /tenant/deletion`.',
    tag,
    permission: 'operator',
    success: 202,
    response: tenantDeletionSchema,
    examples: { response: revokingExample },
  })
  async revoke(@IdParam() id: string): Promise<TenantDeletionJson> {
    return representDeletion(await this.revokeDeletion.execute(id));
  }
}
