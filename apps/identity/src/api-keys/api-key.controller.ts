import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { DomainError, notFound, validationFailed } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, listRows, Operation, page, permits } from '@kontor/service-kit';
import { apiKeys } from '../db/api-key.row.js';
import { representApiKey, withheldPermissions } from '../domain/api-key.js';
import { NewApiKeyDto } from './api-key.dto.js';
import { CreateApiKey } from './create-api-key.js';

@Controller('api-keys')
export class ApiKeyController {
  constructor(
    private readonly db: Database,
    private readonly createApiKey: CreateApiKey,
  ) {}

  @Post()
  @Operation({
    id: 'createApiKey',
    summary: 'Create an API key; its secret is in this answer only',
    tag: 'API keys',
    permission: 'api-key:write',
    success: 201,
    shownOnce: ['secret'],
  })
  create(@Caller() caller: Principal, @Body() body: NewApiKeyDto) {
    const withheld = withheldPermissions(body.permissions, caller.permissions, permits);
    if (withheld.length > 0) {
      throw new DomainError('permission_denied', {
        kind: 'forbidden',
        detail: `A key can only have permissions of the key that creates it: ${withheld.join(', ')}.`,
      });
    }
    const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
    // Secrets expire in real time, whatever the sandbox clock shows.
    if (expiresAt && expiresAt.getTime() <= Date.now())
      throw validationFailed('expiresAt', 'expiresAt must be in the future.');
    return this.db.tenant(caller.tenantId, (tx) =>
      this.createApiKey.execute(tx, { name: body.name, permissions: body.permissions, expiresAt }),
    );
  }

  @Get()
  @Operation({ id: 'listApiKeys', summary: 'API keys, newest first', tag: 'API keys', permission: 'api-key:read' })
  list(@Caller() caller: Principal, @List() list: ListQuery) {
    return this.db.tenant(
      caller.tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: apiKeys,
          columns: {},
          defaultOrder: 'created_at DESC, id',
        });
        return page(rows.map(representApiKey), total, list);
      },
      { readOnly: true },
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    id: 'revokeApiKey',
    summary: 'Revoke an API key; effective within a second',
    tag: 'API keys',
    permission: 'api-key:write',
    success: 204,
  })
  async revoke(@Caller() caller: Principal, @IdParam() id: string): Promise<void> {
    await this.db.tenant(caller.tenantId, async (tx) => {
      if ((await apiKeys.delete(tx, { id })) === 0) throw notFound('API key');
    });
  }
}
