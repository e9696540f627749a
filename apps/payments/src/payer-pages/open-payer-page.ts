import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type IntentRow, intents } from '../customer-books/intent.row.js';
import { transactions } from '../customer-books/transaction.row.js';
import { PayerLinks } from '../collections/payer-links.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { isSettled } from '../domain/customer-books/intent.js';
import { type GatewayName, GATEWAY_TRAITS } from '../domain/payment-methods/payment-method.js';
import { digestOf } from '../payment-methods/tokens.js';
import { OpenLink, type PageSurroundings } from '../payment-links/open-link.js';
import { type PayerPage, payerPages } from './payer-page.row.js';

/** `action`: the payer has to do something; `open`: nobody collects at present, or ever again. */
export type PayerState = 'action' | 'pending' | 'paid' | 'failed' | 'open';

/** What is behind a payer's link. */
export interface OpenedPayerPage extends PageSurroundings {
  readonly tenantId: string;
  readonly page: PayerPage;
  readonly intent: IntentRow;
  readonly state: PayerState;
  /** The collection that waits for the payer. */
  readonly waiting: PaymentTransaction | null;
  /** By which a payment that failed can be collected instead. */
  readonly otherWays: readonly GatewayName[];
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
    const opened = await this.database.tenant(
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
    return opened && { ...opened, otherWays: await this.otherWays(opened) };
  }

  private async otherWays({ tenantId, state, intent }: Omit<OpenedPayerPage, 'otherWays'>): Promise<GatewayName[]> {
    if (state !== 'failed' || intent.invoiceId === null) return [];
    const { offered } = await this.surroundings.ofTenant(tenantId, intent.currencyCode);
    return offered.filter((name) => GATEWAY_TRAITS[name].collects);
  }

  /** How far the payment of an invoice is; `link` while its payer has something to do or to choose. Null: it is not known yet. */
  async ofInvoice(
    tenantId: string,
    invoiceId: string,
    redirectUrl: string | null,
  ): Promise<{ state: PayerState; link: string | null } | null> {
    return this.database.tenant(tenantId, async (tx) => {
      const [intent] = await intents.where(tx, 'invoice_id = $2', [invoiceId]);
      if (!intent) return null;
      const { state } = await stateOf(tx, intent);
      if (state !== 'action' && state !== 'failed') return { state, link: null };
      const digest = digestOf(this.links.tokenOf(tenantId, intent.id));
      await tx.query(
        `INSERT INTO payer_page (tenant_id, id, token_digest, redirect_url, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, id) DO UPDATE SET redirect_url = EXCLUDED.redirect_url`,
        [tenantId, intent.id, digest, redirectUrl, tx.now],
      );
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
  // What was cancelled or closed need not be paid, and nobody has.
  if (isSettled(intent)) return { state: intent.status === 'cancelled' ? 'open' : 'paid', waiting };
  if (underWay.length > 0) return { state: 'pending', waiting };
  return { state: intent.failReason === null ? 'open' : 'failed', waiting };
}
