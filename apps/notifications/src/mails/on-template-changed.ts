import { type EventOf, templateChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';

const MAIL = 'mail.';

/** Keeps what the tenant writes in its mails; texts that were taken back stay as an empty row, for their version. */
@EventConsumer()
export class OnTemplateChanged {
  @Consume(templateChangedV1)
  async handle({ payload }: EventOf<typeof templateChangedV1>, tx: TenantTx): Promise<void> {
    const { state, version } = payload;
    if (!state?.kind.startsWith(MAIL)) return;
    await tx.query(
      `INSERT INTO mail_template AS t (tenant_id, kind, language, subject, body, version) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (tenant_id, kind, language)
         DO UPDATE SET subject = excluded.subject, body = excluded.body, version = excluded.version
         WHERE t.version < excluded.version`,
      [
        tx.tenantId,
        state.kind.slice(MAIL.length),
        state.language,
        state.texts['subject'] ?? '',
        state.texts['body'] ?? '',
        version,
      ],
    );
  }
}
