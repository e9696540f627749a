import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { newBearerSecret } from '@kontor/service-kit';
import { recordAudit } from '../audit-log/record-audit.js';
import { apiKeys } from '../db/api-key.row.js';
import { representApiKey } from '../domain/api-key.js';
import { activity, lockTenant, saveTenant } from '../published-events.js';
import { digestOf } from '../secrets/digest.js';

export interface NewApiKey {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresAt: Date | null;
  readonly allowedIps?: readonly string[] | null;
}

/** Creates a key. The answer is the only place where its secret is ever seen. */
@Injectable()
export class CreateApiKey {
  async execute(tx: TenantTx, request: NewApiKey) {
    const tenant = await lockTenant(tx);
    const secret = newBearerSecret('api_');
    const key = {
      tenantId: tx.tenantId,
      id: newUuid(),
      name: request.name,
      permissions: [...new Set(request.permissions)],
      digest: digestOf(secret),
      allowedIps: request.allowedIps ? [...request.allowedIps] : null,
      lastUsedAt: null,
      expiresAt: request.expiresAt,
      replacedBy: null,
      createdAt: tx.now,
    };
    await apiKeys.insert(tx, key);
    await recordAudit(tx, {
      type: 'api_key.created',
      subject: { kind: 'api_key', id: key.id, name: key.name },
      metadata: { permissions: key.permissions },
    });
    await saveTenant(tx, tenant, [activity('api_key.created', key.id, { name: key.name })]);
    return { ...representApiKey(key), secret };
  }
}
