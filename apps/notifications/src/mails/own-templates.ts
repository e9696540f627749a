import type { TenantTx } from '@kontor/persistence';
import type { MailLanguage } from '../domain/mails/wording.js';
import { mailTemplates } from './mail-template.row.js';
import { ownMail } from './own-mail.js';
import { renderTemplate } from './render-template.js';
import type { MailTemplate } from './mail-template.js';

/** The tenant's own mails of some kinds. */
export class OwnTemplates {
  private constructor(private readonly byKey: ReadonlyMap<string, MailTemplate>) {}

  static async load(tx: TenantTx, kinds: readonly string[]): Promise<OwnTemplates> {
    const rows = await mailTemplates.find(tx, { kind: [...new Set(kinds)] });
    return new OwnTemplates(
      new Map(
        rows
          .filter(({ body }) => body !== '')
          .map((row) => [`${row.kind} ${row.language}`, ownMail(row, row.language as MailLanguage)]),
      ),
    );
  }

  /** The mail as the tenant wrote it, else as we do; one that fails never keeps a mail from being sent. */
  render(kind: string, language: MailLanguage, { standard, model }: { standard: MailTemplate; model: object }) {
    const template = this.byKey.get(`${kind} ${language}`);
    if (!template) return renderTemplate(standard, model);
    try {
      return renderTemplate(template, withoutNulls(model));
    } catch {
      return renderTemplate(standard, model);
    }
  }
}

/** What there is not is empty text, as the list of placeholders says. */
const withoutNulls = (model: object): object =>
  Object.fromEntries(Object.entries(model).map(([name, value]: [string, unknown]) => [name, value ?? '']));
