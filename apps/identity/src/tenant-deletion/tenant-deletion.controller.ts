import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, Operation } from '@kontor/service-kit';
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

/** An organisation leaves. */
@Controller('tenant/deletion')
export class TenantDeletionController {
  constructor(
    private readonly db: Database,
    private readonly requestDeletion: RequestDeletion,
    private readonly revokeDeletion: RevokeDeletion,
  ) {}

  @Post()
  @Operation({
    id: 'deleteTenant',
    summary: 'Close the organisation, and delete it',
    description:
      'It is closed at once: nothing is billed, keys, people, customers and apps get 403 `tenant_closed`. Who may do everything can still export its ' +
      'data, read this and, for 30 days, take it back. Then everything goes but what a law wants kept, and that when its term is over. A sandbox is ' +
      'deleted at once and wholly. Refused with `name_differs` for another name and with `operator_tenant` for the organisation of the operator.',
    tag,
    permission: '*',
    whenClosed: true,
    success: 202,
    response: tenantDeletionSchema,
    examples: { request: { name: 'Backhaus Elbe GmbH' }, response: { ...waitingExample, status: 'closing' } },
  })
  request(@Caller() { tenantId }: Principal, @Body() body: TenantDeletionDto): Promise<TenantDeletionJson> {
    const { name, asLive } = body;
    return this.requestDeletion.execute(tenantId, { name, asLive: asLive ?? false });
  }

  @Get()
  @Operation({
    id: 'getTenantDeletion',
    summary: 'How far the deletion of the organisation is',
    tag,
    permission: '*',
    whenClosed: true,
    response: tenantDeletionSchema,
    errors: { 404: 'No deletion was asked for.' },
    examples: { response: keptExample },
  })
  async read(@Caller() { tenantId }: Principal): Promise<TenantDeletionJson> {
    return representDeletion(await readDeletion(this.db, tenantId));
  }

  @Delete()
  @Operation({
    id: 'revokeTenantDeletion',
    summary: 'Take the deletion of the organisation back',
    description:
      'A moment later it is open again, and what became due meanwhile is done. Refused with `deletion_began` once something is gone.',
    tag,
    permission: '*',
    whenClosed: true,
    success: 202,
    response: tenantDeletionSchema,
    errors: { 404: 'No deletion was asked for.' },
    examples: { response: revokingExample },
  })
  async revoke(@Caller() { tenantId }: Principal): Promise<TenantDeletionJson> {
    return representDeletion(await this.revokeDeletion.execute(tenantId));
  }
}
