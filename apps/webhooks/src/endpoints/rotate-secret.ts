import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { newSecret } from '../deliveries/sign-delivery.js';
import { publishEndpoint } from '../published-events.js';
import { lockEndpoint } from './endpoint.row.js';
import { representEndpoint, type WebhookEndpoint } from './represent-endpoint.js';

/** Gives a receiver a new secret at once: the next attempt is signed with it. @throws 404. */
@Injectable()
export class RotateSecret {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  execute(principal: Principal, id: string): Promise<WebhookEndpoint> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const old = await lockEndpoint(tx, id);
      if (!old) throw notFound('The webhook');
      const secret = newSecret();
      const next = { ...old, version: old.version + 1, secret: this.secrets.seal(secret, id) };
      await tx.query('UPDATE webhook_endpoint SET version = $3, secret = $4 WHERE tenant_id = $1 AND id = $2', [
        tx.tenantId,
        id,
        next.version,
        next.secret,
      ]);
      await publishEndpoint(tx, next);
      return representEndpoint(next, secret);
    });
  }
}
