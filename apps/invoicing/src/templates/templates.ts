import { Injectable } from '@nestjs/common';
import { templateChangedV1 } from '@kontor/contracts';
import { DomainError, notFound, validationFailed } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { Database, type TenantTx } from '@kontor/persistence';
import { LoopTurn } from '@kontor/service-kit';
import { checkTemplate } from '../domain/templates/check-template.js';
import { DEFAULT_TEMPLATES, type Language } from '../domain/templates/document-templates.js';
import { isLanguage, isMailKind, isTemplateKind, type TemplateKind } from '../domain/templates/placeholders.js';
import { type DocumentTemplateRow, documentTemplateTable } from '../db/document-template.row.js';
import type { TemplateDto } from './template.dto.js';
import type { TemplateJson } from './template.schema.js';

export interface TemplateKey {
  readonly kind: TemplateKind;
  readonly language: Language;
}

const DOCUMENT_TEXTS = ['title', 'introduction', 'closing'] as const;
const MAIL_TEXTS = ['subject', 'body'] as const;
export type Texts = Record<string, string | null>;

/** @throws DomainError 404 `not_found`. */
export function keyOf(kind: string, language: string): TemplateKey {
  if (!isTemplateKind(kind) || !isLanguage(language)) throw notFound('The template');
  return { kind, language };
}

/**
 * What of a body is for this kind: only what the tenant wrote. Between the templates of several requests others have their turn.
 * @throws DomainError `validation_failed`, `template_invalid`.
 */
export async function textsIn(kind: TemplateKind, dto: TemplateDto): Promise<Texts> {
  const [wanted, other] = isMailKind(kind) ? [MAIL_TEXTS, DOCUMENT_TEXTS] : [DOCUMENT_TEXTS, MAIL_TEXTS];
  const given = (name: keyof TemplateDto): boolean => dto[name] !== undefined && dto[name] !== null;
  for (const name of other)
    if (given(name)) throw validationFailed(name, `${name} is not a text of ${kind}.`, 'not_of_this_kind');
  const texts = Object.fromEntries(wanted.filter(given).map((name) => [name, dto[name] as string]));
  if (isMailKind(kind) && Object.keys(texts).length === 1)
    throw validationFailed('subject' in texts ? 'body' : 'subject', 'A mail has a subject and a body.', 'required');
  await new LoopTurn().pass();
  checkTemplate(kind, texts);
  return texts;
}

/** The texts of documents and mails: the tenant's, else ours. */
@Injectable()
export class Templates {
  constructor(private readonly database: Database) {}

  get(tenantId: string, key: TemplateKey): Promise<TemplateJson> {
    return this.database.tenant(tenantId, async (tx) => represent(key, await rowOf(tx, key)), { readOnly: true });
  }

  /** Texts that are not given are ours again. @throws DomainError 422 `template_invalid`, `validation_failed`. */
  async replace(tenantId: string, key: TemplateKey, dto: TemplateDto): Promise<TemplateJson> {
    const texts = await textsIn(key.kind, dto);
    return this.database.tenant(tenantId, async (tx) => {
      const [row] = await tx.query<DocumentTemplateRow>(
        `INSERT INTO document_template AS t (tenant_id, kind, language, texts, version, updated_at)
         VALUES ($1, $2, $3, $4, 1, $5)
         ON CONFLICT (tenant_id, kind, language)
           DO UPDATE SET texts = excluded.texts, version = t.version + 1, updated_at = excluded.updated_at
         RETURNING ${documentTemplateTable.select}`,
        [tx.tenantId, key.kind, key.language, JSON.stringify(texts), tx.now],
      );
      if (!row) throw new DomainError('not_found', { kind: 'not_found', detail: 'The template is gone.' });
      const id = `${key.kind}/${key.language}`;
      await appendEvent(tx, templateChangedV1, {
        aggregateId: id,
        aggregateSeq: row.version,
        payload: { id, version: row.version, deleted: false, state: { ...key, texts }, notices: [] },
      });
      return represent(key, row);
    });
  }
}

export const rowOf = (tx: TenantTx, key: TemplateKey): Promise<DocumentTemplateRow | null> =>
  documentTemplateTable.findOne(tx, { ...key });

function represent({ kind, language }: TemplateKey, row: DocumentTemplateRow | null): TemplateJson {
  const standard: Texts = isMailKind(kind) ? { subject: null, body: null } : { ...DEFAULT_TEMPLATES[kind][language] };
  const texts = row?.texts ?? {};
  return {
    kind,
    language,
    isDefault: Object.keys(texts).length === 0,
    ...standard,
    ...texts,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}
