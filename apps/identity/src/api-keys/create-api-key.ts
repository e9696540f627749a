import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { ApiKeyRow } from '../db/api-key.row.js';
import { representApiKey } from '../domain/api-key.js';
import { activity, lockTenant, saveTenant } from '../published-events.js';
import { digestOf, newSecret } from '../tokens/secret.js';

export interface NewApiKey {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresAt: Date | null;
}

/** Makes a key. The answer is the only place where its secret is ever seen. */
@Injectable()
export class CreateApiKey {
  async execute(tx: TenantTx, wanted: NewApiKey) {
    const tenant = await lockTenant(tx);
    const secret = newSecret('api_');
    const key = new ApiKeyRow();
    Object.assign(key, {
      tenantId: tx.tenantId,
      id: newUuid(),
      name: wanted.name,
      permissions: [...new Set(wanted.permissions)],
      digest: digestOf(secret),
      expiresAt: wanted.expiresAt,
      createdAt: tx.now,
    });
    await tx.manager.insert(ApiKeyRow, key);
    await saveTenant(tx, tenant, [activity('api_key.created', key.id, { name: key.name })]);
    return { ...representApiKey(key), secret };
  }
}
