import { Injectable } from '@nestjs/common';
import { DomainError, invariant } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { LoopTurn } from '@kontor/service-kit';
import { documentSnapshotTable } from '../db/document.row.js';
import { exampleModel } from '../domain/templates/check-template.js';
import { DEFAULT_TEMPLATES, type DocumentKind, kindOf } from '../domain/templates/document-templates.js';
import { renderText, timeOfTexts } from '@kontor/kernel/template-sandbox';
import { isMailKind } from '../domain/templates/placeholders.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { contentOf } from '../finalization/freeze-document.js';
import { formatAmount } from '../pdf/format.js';
import { findInvoice, positionsOf } from '../invoices/invoice-rows.js';
import { type Draft, newDraft } from '../pricing/draft.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import { priceDraft } from '../pricing/price-draft.js';
import type { PreviewTemplateDto } from './template.dto.js';
import type { RenderedJson } from './template.schema.js';
import { rowOf, type TemplateKey, type Texts, textsIn } from './templates.js';
import { modelOf } from '../finalization/write-texts.js';

/** Which documents a mail is about. */
const MAILED: Readonly<Record<string, readonly DocumentKind[]>> = {
  'mail.invoice': ['invoice', 'credit', 'refund', 'cancel'],
  'mail.reminder': ['reminder'],
  'mail.dunning': ['dunning'],
};

/** Shows a template with a document's values; what the document does not know has its example. */
@Injectable()
export class PreviewTemplate {
  constructor(
    private readonly database: Database,
    private readonly contexts: InvoiceContexts,
  ) {}

  /** @throws DomainError 404; 422 `template_invalid`, `invalid_document_type`. */
  async execute(tenantId: string, key: TemplateKey, { invoice, template }: PreviewTemplateDto): Promise<RenderedJson> {
    const { kind } = key;
    const given = template ? await textsIn(kind, template) : null;
    const { texts, model } = await this.database.tenant(tenantId, async (tx) => {
      const { draft, content } = await this.load(tx, invoice);
      mustFit(key, kindOf(draft.invoice.type));
      const stored = given ?? (await rowOf(tx, key))?.texts ?? {};
      const texts: Texts = isMailKind(kind) ? stored : { ...DEFAULT_TEMPLATES[kind][key.language], ...stored };
      const ofDocument = kind in MAILED || !isMailKind(kind) ? modelOf(draft, content) : {};
      const model = isMailKind(kind)
        ? { ...exampleModel(kind), ...ofDocument, ...mailedOf(draft), seller: content.seller.companyName }
        : ofDocument;
      return { texts, model };
    });
    // With no connection in hand: of several previews one is written between two looks at what else is there.
    await new LoopTurn().pass();
    const time = timeOfTexts();
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, text === null ? null : renderText(text, model, time)]),
    );
  }

  private async load(tx: TenantTx, id: string): Promise<{ draft: Draft; content: Omit<DocumentSnapshot, 'texts'> }> {
    const draft = newDraft(await findInvoice(tx, id), await positionsOf(tx, id));
    if (draft.invoice.number !== null) {
      const row = await documentSnapshotTable.findOne(tx, { invoiceId: id });
      invariant(row, 'a finalized document has its snapshot');
      return { draft, content: row.snapshot };
    }
    const context = await this.contexts.load(tx, [draft]);
    priceDraft(draft, context);
    return { draft, content: contentOf(draft, context) };
  }
}

/** What a mail says in other words than the document: nothing of what a customer gets is to be paid until a day. */
function mailedOf(draft: Draft): object {
  const { grossMinor, currencyCode, language } = draft.invoice;
  const kind = mailed(draft);
  if (grossMinor >= 0n) return { kind };
  return { kind, dueDate: '', totalGrossAmount: formatAmount(Number(-grossMinor), currencyCode, language) };
}

/** What a mail calls the document, as `notifications` does. */
function mailed({ invoice: { type, grossMinor } }: Draft): string {
  if (type === 'TYPE_CANCEL') return grossMinor > 0n ? 'cancelled_credit' : 'cancel';
  return type === 'TYPE_INVOICE' && grossMinor < 0n ? 'credit' : kindOf(type);
}

function mustFit({ kind }: TemplateKey, given: DocumentKind): void {
  const fitting = isMailKind(kind) ? MAILED[kind] : [kind];
  if (fitting && !fitting.includes(given))
    throw new DomainError('invalid_document_type', { detail: `${kind} is not for a document of kind ${given}.` });
}
