import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { newSecret } from './signing-secret.js';
import { publishEndpoint } from './published-events.js';
import { endpoints, lockEndpoint } from './endpoint.row.js';
import { representEndpoint } from './represent-endpoint.js';
import type { WebhookJson } from './webhook.schema.js';

/** Replaces a receiver's secret at once: the next attempt is signed with it. @throws 404. */
@Injectable()
export class RotateSecret {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  execute(principal: Principal, id: string): Promise<WebhookJson> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const old = await lockEndpoint(tx, id);
      if (!old) throw notFound('The webhook');
      const secret = newSecret();
      const next = { ...old, version: old.version + 1, secret: this.secrets.seal(secret, id) };
      await endpoints.update(tx, next, ['version', 'secret']);
      await publishEndpoint(tx, next);
      return representEndpoint(next, secret);
    });
  }
}
