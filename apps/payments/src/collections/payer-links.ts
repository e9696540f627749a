import { createHmac } from 'node:crypto';
import { ServiceConfig } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

/** Where payers do what a collection waits for. */
export const PAYER_PATH = '/public/payments';

/**
 * Links of payers. The token has 256 bits that are derived from the intent and the installation's secret: only its digest is stored,
 * nobody can make one up, and it can be made again for a mail.
 */
@Injectable()
export class PayerLinks {
  constructor(private readonly config: ServiceConfig) {}

  linkOf(tenantId: string, intentId: string): string {
    return `${this.config.publicUrl}${PAYER_PATH}/${this.tokenOf(tenantId, intentId)}`;
  }

  /** Where a provider sends the payer back to. */
  returnUrlOf(tenantId: string, intentId: string): string {
    return `${this.linkOf(tenantId, intentId)}/return`;
  }

  tokenOf(tenantId: string, intentId: string): string {
    // The oldest key that is known, so that links stay what they are when the key is changed.
    return createHmac('sha256', this.config.previousSecretsKeys.at(-1) ?? this.config.secretsKey)
      .update(`payer page\n${tenantId}\n${intentId}`)
      .digest('base64url');
  }
}
