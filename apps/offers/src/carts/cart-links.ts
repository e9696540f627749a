import { createHmac } from 'node:crypto';
import { ServiceConfig } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

/** Page of a cart. */
export const CART_PATH = '/public/checkout/carts';

/**
 * The way to a cart. The token has 256 bits that are derived from the cart and the installation's secret: only its digest is stored,
 * nobody can make one up, and it can be made again for a mail.
 */
@Injectable()
export class CartLinks {
  constructor(private readonly config: ServiceConfig) {}

  pathOf(cart: { readonly tenantId: string; readonly id: string }): string {
    return `${CART_PATH}/${this.tokenOf(cart)}`;
  }

  urlOf(cart: { readonly tenantId: string; readonly id: string }): string {
    return `${this.config.publicUrl}${this.pathOf(cart)}`;
  }

  tokenOf({ tenantId, id }: { readonly tenantId: string; readonly id: string }): string {
    // The oldest key that is known, so that links stay what they are when the key is changed.
    return createHmac('sha256', this.config.previousSecretsKeys.at(-1) ?? this.config.secretsKey)
      .update(`cart\n${tenantId}\n${id}`)
      .digest('base64url');
  }
}
