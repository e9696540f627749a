import { createHash, createHmac } from 'node:crypto';
import { ServiceConfig } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { RecipientRow } from './recipient.row.js';

/** Where recipients read an offer. */
export const OFFER_PATH = '/public/offers';

/**
 * Links of recipients. The token has 256 bits that are derived from the recipient and the installation's secret: only its digest is
 * stored, nobody can make one up, and it can be made again for a mail.
 */
@Injectable()
export class RecipientLinks {
  constructor(private readonly config: ServiceConfig) {}

  linkOf(recipient: Pick<RecipientRow, 'tenantId' | 'id'>): string {
    return `${this.config.publicUrl}${OFFER_PATH}/${this.tokenOf(recipient)}`;
  }

  tokenOf({ tenantId, id }: Pick<RecipientRow, 'tenantId' | 'id'>): string {
    // The oldest key that is known, so that links stay what they are when the key is changed.
    return createHmac('sha256', this.config.previousSecretsKeys.at(-1) ?? this.config.secretsKey)
      .update(`offer recipient\n${tenantId}\n${id}`)
      .digest('base64url');
  }
}

/** What is kept of a token. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Whether a text has the form of a token: others are not looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
