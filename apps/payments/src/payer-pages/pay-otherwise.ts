import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { intents } from '../customer-books/intent.row.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { CreateMethodLink } from '../payment-links/create-method-link.js';
import { mayRedirectTo } from '../payment-methods/redirect-url.js';
import type { OpenedPayerPage } from './open-payer-page.js';

/** A payment failed, and its payer names another way to pay, by which it is collected at once. */
@Injectable()
export class PayOtherwise {
  constructor(
    private readonly database: Database,
    private readonly createLink: CreateMethodLink,
  ) {}

  /** The page on which that way is added, and from which the payer comes back to `returnUrl`; null: nothing has failed, or nothing is offered. */
  async execute({ tenantId, intent, sandbox, otherWays }: OpenedPayerPage, returnUrl: string): Promise<string | null> {
    if (otherWays.length === 0) return null;
    const isFree = await this.database.tenant(tenantId, async (tx) => {
      await lockCustomers(tx, [intent.customerId]);
      const current = await intents.get(tx, intent.id);
      if (current?.status !== 'failed') return false;
      // What was named for this document has failed: the next default may collect it.
      current.methodIsNamed = false;
      await intents.update(tx, current, ['methodIsNamed']);
      return true;
    });
    if (!isFree) return null;
    const redirectUrl = mayRedirectTo(returnUrl, sandbox ? 'sandbox' : 'live') ? returnUrl : null;
    const wanted = { customerId: intent.customerId, allowedTypes: [...otherWays], redirectUrl };
    return (await this.createLink.execute(tenantId, wanted)).link;
  }
}
