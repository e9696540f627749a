import { ownRenderingOf } from '../domain/invoices/settings.js';
import type { Draft } from '../pricing/draft.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';

/**
 * Whether a document waits for a PDF of the tenant's own system. Imported documents have been issued elsewhere; reminders
 * and dunning letters are rendered here.
 */
export const awaitsPdf = ({ invoice, claim }: Draft, context: InvoiceContext): boolean =>
  !invoice.imported && !claim && ownRenderingOf(context.tenant.plan, context.settings) !== null;

/**
 * What takes back another document's claim has its effect on money at once: that claim must not be collected while a
 * file is rendered.
 */
export const takesEffectAtOnce = ({ invoice }: Pick<Draft, 'invoice'>): boolean =>
  invoice.type === 'TYPE_CANCEL' || invoice.type === 'TYPE_CREDIT';
