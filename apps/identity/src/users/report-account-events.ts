import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type TenantTx } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { ACCOUNT_EVENT, type AccountEventType } from '../accounts/account-events.js';
import { makeToken } from '../accounts/one-time-tokens.js';
import { fullName, type Person, personByEmail, personById, single } from '../accounts/person.js';
import { purgeExpired } from '../accounts/purge-expired.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { type AccountEventRow, accountEvents } from '../db/account-event.row.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { tenants } from '../db/tenant.row.js';
import { RESET_PATH } from './account-paths.js';
import { partyOf } from './change-user.js';
import { saveUser } from './publish-user.js';
import { requestMail } from './request-mail.js';

const RESET_MINUTES = 60;
/** Mails for a new password to one address in an hour; further requests are answered alike and send none. */
const RESETS_AN_HOUR = 5;

interface Membership {
  readonly tenantId: string;
  readonly id: string;
}

type MailKind = 'password_reset' | 'email_changed' | 'password_changed' | 'second_factor_changed';
const MAILS: Partial<Record<AccountEventType, MailKind>> = {
  'password.reset_requested': 'password_reset',
  'password.changed': 'password_changed',
  'email.changed': 'email_changed',
  'totp.enabled': 'second_factor_changed',
  'totp.disabled': 'second_factor_changed',
  'recovery_codes.made': 'second_factor_changed',
  'passkey.added': 'second_factor_changed',
  'passkey.removed': 'second_factor_changed',
};

/**
 * Reports to the tenants of a person what happened to the account: their audit logs, the copies of its name and address, and the person by
 * mail. Every step can be repeated: what has the event's id is there already.
 */
@Injectable()
@DueHandler({ kind: ACCOUNT_EVENT, batchSize: 20 })
export class ReportAccountEvents {
  constructor(
    private readonly db: Database,
    private readonly config: ServiceConfig,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      const event = await this.db.tenant(batch.tenantId, (tx) => accountEvents.get(tx, item.ref), { readOnly: true });
      if (event) await this.report(event);
      await this.db.tenant(batch.tenantId, async (tx) => {
        // Requests for mails are counted for an hour.
        if (event?.type !== 'password.reset_requested') await accountEvents.delete(tx, { id: item.ref });
        await tx.query(
          `DELETE FROM account_event WHERE tenant_id = $1 AND type = 'password.reset_requested' AND created_at < $2`,
          [tx.tenantId, new Date(Date.now() - 3_600_000)],
        );
        await completeDue(tx, ACCOUNT_EVENT, item);
      });
    }
    await purgeExpired(this.db);
  }

  private async report(event: AccountEventRow): Promise<void> {
    const sql = single(this.db);
    const person = event.personId ? await personById(sql, event.personId) : await personByEmail(sql, event.email!);
    if (!person) return;
    const memberships = await sql.query<Membership>('SELECT tenant_id AS "tenantId", id FROM users_of_person($1)', [
      person.id,
    ]);
    const concerned = memberships.filter(({ tenantId }) => event.onlyTenant === null || tenantId === event.onlyTenant);
    let isMailed = await this.isTooOften(event);
    for (const membership of concerned)
      isMailed = await this.db.tenant(membership.tenantId, (tx) =>
        this.reportTo(tx, event, person, membership.id, isMailed),
      );
    const kind = MAILS[event.type as AccountEventType];
    if (!kind || isMailed) return;
    const sender = await this.senderFor(person, memberships);
    if (sender) await this.db.tenant(sender, (tx) => this.mail(tx, event, person, kind));
  }

  /**
   * Who works for nobody has an account all the same, to join with or to delete: whoever waits for an answer sends the mail, else a former
   * tenant. No log says so.
   */
  private async senderFor({ email }: Person, memberships: readonly Membership[]): Promise<string | undefined> {
    const [inviting] = await this.db.statement<{ tenantId: string }>(
      'SELECT tenant_id AS "tenantId" FROM tenant_inviting($1)',
      [email],
    );
    return (inviting ?? memberships.at(-1))?.tenantId;
  }

  /** Whether the person has got its mail, which one tenant's name is enough for. */
  private async reportTo(
    tx: TenantTx,
    event: AccountEventRow,
    person: Person,
    userId: string,
    isMailed: boolean,
  ): Promise<boolean> {
    const user = await tenantUsers.get(tx, userId, { lock: 'update' });
    if (!user || user.deactivated) return isMailed;
    const party = partyOf({ user, person });
    const { id, createdAt: at, address, userAgent, metadata } = event;
    const type = event.type as AccountEventType;
    const actor = event.personId === null || metadata['by'] === 'operator' ? null : party;
    const isNew = await recordAudit(tx, {
      type,
      actor,
      subject: party,
      metadata,
      origin: { id, at, address, userAgent },
    });
    if (!isNew) return true;
    if (type === 'email.changed' || type === 'name.changed') await saveUser(tx, user, person);
    const kind = MAILS[type];
    if (!kind || isMailed) return isMailed;
    await this.mail(tx, event, person, kind);
    return true;
  }

  private async mail(tx: TenantTx, event: AccountEventRow, person: Person, kind: MailKind): Promise<void> {
    const isReset = kind === 'password_reset';
    const tenant = await tenants.findOneOrFail(tx, {});
    const minutes = RESET_MINUTES;
    const token = isReset ? await makeToken(tx, 'password_reset', { personId: person.id, minutes }) : null;
    await requestMail(tx, {
      mailId: event.id,
      kind,
      recipient: kind === 'email_changed' ? String(event.metadata['before']) : person.email,
      name: fullName(person),
      language: person.language,
      tenantName: tenant.name,
      link: token && `${this.config.publicUrl}${RESET_PATH}/${token}`,
      expiresAt: token ? new Date(Date.now() + minutes * 60_000) : null,
    });
  }

  private async isTooOften({ tenantId, type, email, createdAt, id }: AccountEventRow): Promise<boolean> {
    if (type !== 'password.reset_requested') return false;
    const before = await this.db.tenant(
      tenantId,
      (tx) =>
        accountEvents.where(
          tx,
          `t.type = 'password.reset_requested' AND t.email = $2 AND t.created_at > $3 AND (t.created_at, t.id) < ($4, $5) LIMIT $6`,
          [email, new Date(createdAt.getTime() - 3_600_000), createdAt, id, RESETS_AN_HOUR],
        ),
      { readOnly: true },
    );
    return before.length >= RESETS_AN_HOUR;
  }
}
