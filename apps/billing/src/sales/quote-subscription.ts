import type { SaleQuote } from '@kontor/contracts';
import { Injectable } from '@nestjs/common';
import { MeasuredPreview } from '../preview/measured-preview.js';
import { QuoteAgreement } from './quote-agreement.js';

/** What a subscription that is not active yet will bill: for the offer that names it. */
@Injectable()
export class QuoteSubscription {
  constructor(
    private readonly quote: QuoteAgreement,
    private readonly measured: MeasuredPreview,
  ) {}

  /** @throws DomainError `not_found`, 503 `usage_unavailable` */
  execute(tenantId: string, subscriptionId: string): Promise<SaleQuote> {
    return this.measured.execute(tenantId, (tx, measured) => this.quote.execute(tx, subscriptionId, measured));
  }
}
