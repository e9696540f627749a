import { Database, type TenantTx } from '@kontor/persistence';
import type { SellerLook } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { type IntentRow, intents } from '../customer-books/intent.row.js';
import { transactions } from '../customer-books/transaction.row.js';
import { PayerLinks } from '../collections/payer-links.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { isSettled } from '../domain/customer-books/intent.js';
import { OpenLink } from '../payment-links/open-link.js';
import { type PayerPage, payerPages } from './payer-page.row.js';

/** `action`: the payer has to do something; `open`: nobody collects at present. */
export type PayerState = 'action' | 'pending' | 'paid' | 'failed' | 'open';

/** What is behind a payer's link. */
export interface OpenedPayerPage {
  readonly tenantId: string;
  readonly page: PayerPage;
  readonly intent: IntentRow;
  readonly state: PayerState;
  /** The collection that waits for the payer. */
  readonly waiting: PaymentTransaction | null;
  readonly language: string | undefined;
  readonly seller: string;
  readonly look: SellerLook;
  readonly sandbox: boolean;
}

/** Finds what a payer's token leads to. A wrong token and one that never existed look the same. */
@Injectable()
export class OpenPayerPage {
  constructor(
    private readonly database: Database,
    private readonly links: PayerLinks,
    private readonly surroundings: OpenLink,
  ) {}

  async execute(token: string): Promise<OpenedPayerPage | null> {
    const found = await this.surroundings.locate('payer_page_by_digest', token);
    if (!found) return null;
    return this.database.tenant(
      found.tenantId,
      async (tx) => {
        const page = await payerPages.get(tx, found.id);
        const intent = page && (await intents.get(tx, found.id));
        if (!page || !intent) return null;
        const around = await this.surroundings.surroundings(tx, intent.customerId);
        return { tenantId: tx.tenantId, page, intent, ...(await stateOf(tx, intent)), ...around };
      },
      { readOnly: true },
    );
  }

  /** How far the payment of an invoice is; `link` while its payer has something to do. Null: it is not known yet. */
  async ofInvoice(
    tenantId: string,
    invoiceId: string,
    redirectUrl: string | null,
  ): Promise<{ state: PayerState; link: string | null } | null> {
    return this.database.tenant(tenantId, async (tx) => {
      const [intent] = await intents.where(tx, 'invoice_id = $2', [invoiceId]);
      if (!intent) return null;
      const { state } = await stateOf(tx, intent);
      if (state !== 'action') return { state, link: null };
      await tx.query('UPDATE payer_page SET redirect_url = $3 WHERE tenant_id = $1 AND id = $2', [
        tenantId,
        intent.id,
        redirectUrl,
      ]);
      return { state, link: this.links.linkOf(tenantId, intent.id) };
    });
  }
}

async function stateOf(
  tx: TenantTx,
  intent: IntentRow,
): Promise<{ state: PayerState; waiting: PaymentTransaction | null }> {
  const underWay = await transactions.where(
    tx,
    `intent_id = $2 AND type = 'payment' AND status IN ('pending', 'action_required') ORDER BY id`,
    [intent.id],
  );
  const waiting = underWay.find(({ status }) => status === 'action_required') ?? null;
  if (waiting) return { state: 'action', waiting };
  if (isSettled(intent)) return { state: 'paid', waiting };
  if (underWay.length > 0) return { state: 'pending', waiting };
  return { state: intent.failReason === null ? 'open' : 'failed', waiting };
}
