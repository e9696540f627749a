import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound, validationFailed } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, listRows, Operation, page } from '@kontor/service-kit';
import { recordAudit } from '../audit-log/record-audit.js';
import { apiKeys } from '../db/api-key.row.js';
import { representApiKey } from '../domain/api-key.js';
import { apiKeySchema, newApiKeySchema, rotatedApiKeySchema } from './api-key.schema.js';
import { NewApiKeyDto, RotateApiKeyDto } from './api-key.dto.js';
import { CreateApiKey } from './create-api-key.js';
import { reachOf, refuseBeyond } from './reach.js';
import { RotateApiKey } from './rotate-api-key.js';

const DAY_SECONDS = 86_400;
const OLD_ID = '0199f000-0000-7000-8000-000000000071';
const EXAMPLE_SECRET = 'api_Q2q8fJ1xwS0m3k5n7p9r1t3v5x7z9B1D3F5H7J9L1N30a1b2c3';
const EXAMPLE_KEY = {
  id: '0199f000-0000-7000-8000-000000000072',
  name: 'Shop',
  permissions: ['customer:read'],
  allowedIps: ['203.0.113.0/24'],
  lastUsedAt: null,
  expiresAt: null,
  createdAt: '2026-03-01T10:00:00.000Z',
};

@Controller('api-keys')
export class ApiKeyController {
  constructor(
    private readonly db: Database,
    private readonly createApiKey: CreateApiKey,
    private readonly rotateApiKey: RotateApiKey,
  ) {}

  @Post()
  @Operation({
    id: 'createApiKey',
    summary: 'Create an API key; its secret is in this answer only',
    description: 'It has no permissions, addresses or time that the key that creates it does not have.',
    tag: 'API keys',
    permission: 'api-key:write',
    success: 201,
    response: newApiKeySchema,
    shownOnce: ['secret'],
  })
  create(@Caller() caller: Principal, @Body() body: NewApiKeyDto) {
    const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
    // Secrets expire in real time, whatever the sandbox clock shows.
    if (expiresAt && expiresAt.getTime() <= Date.now())
      throw validationFailed('expiresAt', 'expiresAt must be in the future.');
    return this.db.tenant(caller.tenantId, async (tx) => {
      const maker = await reachOf(tx, caller);
      const reach = {
        permissions: body.permissions,
        allowedIps: body.allowedIps ?? maker.allowedIps,
        expiresAt: expiresAt ?? maker.expiresAt,
      };
      refuseBeyond(reach, maker);
      return this.createApiKey.execute(tx, { name: body.name, ...reach });
    });
  }

  @Post(':id/rotate')
  @Operation({
    id: 'rotateApiKey',
    summary: 'Replace an API key; the old one goes on for a while',
    description:
      'The new key has the same name, permissions, addresses and expiry. Its secret is in this answer only. ' +
      'A key can be replaced by one that reaches as far, or further.',
    tag: 'API keys',
    permission: 'api-key:write',
    success: 201,
    response: rotatedApiKeySchema,
    shownOnce: ['secret'],
    errors: { 409: '`api_key_replaced`: another key has taken its place already, which can be replaced or revoked' },
    examples: {
      request: { overlapSeconds: 3600 },
      response: {
        ...EXAMPLE_KEY,
        secret: EXAMPLE_SECRET,
        replaces: { id: OLD_ID, expiresAt: '2026-03-01T11:00:00.000Z' },
      },
    },
  })
  rotate(@Caller() caller: Principal, @IdParam() id: string, @Body() body: RotateApiKeyDto) {
    return this.db.tenant(caller.tenantId, (tx) =>
      this.rotateApiKey.execute(tx, id, {
        overlapSeconds: body.overlapSeconds ?? DAY_SECONDS,
        caller,
      }),
    );
  }

  @Get()
  @Operation({
    id: 'listApiKeys',
    summary: 'API keys, newest first',
    tag: 'API keys',
    permission: 'api-key:read',
    response: apiKeySchema,
  })
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
      const key = await apiKeys.get(tx, id, { lock: 'update' });
      if (!key) throw notFound('API key');
      await apiKeys.delete(tx, { id });
      await recordAudit(tx, { type: 'api_key.revoked', subject: { kind: 'api_key', id, name: key.name } });
    });
  }
}
