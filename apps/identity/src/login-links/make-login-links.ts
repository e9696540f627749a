import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { loginLinks } from '../db/login-link.row.js';
import { digestOf } from '../secrets/digest.js';
import { LOGIN_LINK_MINUTES, LOGIN_PATH } from './login-link-life.js';

export interface MadeLoginLink {
  readonly customerId: string;
  readonly link: string;
}

/** Makes links with which customers log in, one each and request; those of a request that has some already are not made again.
 * For a sign-in to an app they lead to its page. */
@Injectable()
export class MakeLoginLinks {
  constructor(private readonly config: ServiceConfig) {}

  async execute(
    tx: TenantTx,
    request: { readonly id: string; readonly interaction: string | null; readonly at: Date },
    customerIds: readonly string[],
  ): Promise<{ links: MadeLoginLink[]; expiresAt: Date }> {
    const expiresAt = new Date(request.at.getTime() + LOGIN_LINK_MINUTES * 60_000);
    // 128 bits: short enough to be read on a phone, and nobody guesses one of them in a quarter of an hour.
    const tokens = new Map(customerIds.map((customerId) => [customerId, randomBytes(16).toString('base64url')]));
    const made = await loginLinks.insertMissing(
      tx,
      [...tokens].map(([customerId, token]) => ({
        id: newUuid(),
        requestId: request.id,
        customerId,
        digest: digestOf(token),
        interaction: request.interaction,
        expiresAt,
        usedAt: null,
        usedBy: null,
      })),
    );
    const page = request.interaction ?? `${this.config.publicUrl}${LOGIN_PATH}`;
    const links = made.map(({ customerId }) => ({
      customerId,
      link: `${page}/${tokens.get(customerId)}`,
    }));
    return { links, expiresAt };
  }
}
