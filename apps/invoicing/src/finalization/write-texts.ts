import { storableText, type Tx } from '@kontor/kernel';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import type { DocumentTexts } from '../domain/invoices/document-texts.js';
import type { SubscriptionReference } from '../domain/invoices/position.js';
import { documentModel, type TemplateModel } from '../domain/templates/document-model.js';
import {
  CANCELLED_CREDIT,
  DEFAULT_TEMPLATES,
  type DocumentTemplate,
  kindOf,
} from '../domain/templates/document-templates.js';
import { renderText, timeOfTexts } from '@kontor/kernel/template-sandbox';
import { formatAmount, formatDay } from '../pdf/format.js';
import type { Draft } from '../pricing/draft.js';
import { documentTemplateTable } from '../db/document-template.row.js';

/** A tenant's own templates by kind and language. */
export type OwnTemplates = ReadonlyMap<string, Partial<DocumentTemplate>>;

const MAX_TITLE = 255;
const MAX_TEXT = 5000;

/** What the tenant of a transaction has written for these documents. */
export async function loadTemplates(tx: Tx, drafts: readonly Draft[]): Promise<OwnTemplates> {
  const kinds = [...new Set(drafts.map(({ invoice }) => kindOf(invoice.type)))];
  const rows = kinds.length === 0 ? [] : await documentTemplateTable.find(tx, { kind: kinds });
  return new Map(rows.map((row) => [`${row.kind} ${row.language}`, row.texts as Partial<DocumentTemplate>]));
}

/** A document's texts: the tenant's, else ours. One that fails (too long, too slow) never stands in a document's way. */
export function textsOf(
  draft: Draft,
  snapshot: Omit<DocumentSnapshot, 'texts'>,
  templates: OwnTemplates = new Map(),
): DocumentTexts {
  const { type, language } = draft.invoice;
  const isOfCredit = type === 'TYPE_CANCEL' && draft.invoice.grossMinor > 0n;
  const standard = isOfCredit ? CANCELLED_CREDIT[language] : DEFAULT_TEMPLATES[kindOf(type)][language];
  const written = templates.get(`${kindOf(type)} ${language}`);
  const model = (): TemplateModel => modelOf(draft, snapshot);
  if (!written) return rendered(standard, model);
  try {
    return rendered({ ...standard, ...written }, model);
  } catch {
    return rendered(standard, model);
  }
}

/** The values of a document's placeholders. */
export function modelOf(draft: Draft, snapshot: Omit<DocumentSnapshot, 'texts'>): TemplateModel {
  const { language, currencyCode } = draft.invoice;
  const subscriptions = new Map<string, SubscriptionReference>();
  for (const { subscription } of draft.positions) if (subscription) subscriptions.set(subscription.id, subscription);
  return documentModel(
    { invoice: draft.invoice, snapshot, subscriptions: [...subscriptions.values()] },
    { amount: (minor) => formatAmount(minor, currencyCode, language), day: (day) => formatDay(day, language) },
  );
}

function rendered(template: DocumentTemplate, model: () => TemplateModel): DocumentTexts {
  let values: TemplateModel | undefined;
  let time: ReturnType<typeof timeOfTexts> | undefined;
  const text = (source: string | null, max: number): string | null => {
    if (source === null) return null;
    const written = source.includes('{') ? renderText(source, (values ??= model()), (time ??= timeOfTexts())) : source;
    return storableText(written.trim(), max) || null;
  };
  return {
    title: text(template.title, MAX_TITLE)?.replace(/\s+/g, ' ') ?? template.title,
    introduction: text(template.introduction, MAX_TEXT),
    closing: text(template.closing, MAX_TEXT),
  };
}
