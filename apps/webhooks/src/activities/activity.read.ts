import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { UserState } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database, mergedInto, Replicas, type TenantTx } from '@kontor/persistence';
import { type ListQuery, listRows, type Page, page } from '@kontor/service-kit';
import { activities, type ActivityRow } from './activity.row.js';
import type { CustomerActivityJson } from './activity.schema.js';
import { metadataWith } from '../domain/event-log/notices.js';

/** An entry as the API shows it. `user` is null for the system and for API keys, which `metadata.actor` names. */
export const representActivity = (row: ActivityRow, users: ReadonlyMap<string, UserState>): CustomerActivityJson => ({
  id: row.id,
  dateTime: row.at.toISOString(),
  type: row.type,
  user: userOf(row, users),
  metadata: metadataWith(row.metadata, row.actor ?? null),
  pinned: row.pinned,
});

/** The people who did what these entries say, as they are called now. */
export function usersOf(
  tx: TenantTx,
  replicas: Replicas,
  rows: readonly ActivityRow[],
): Promise<Map<string, UserState>> {
  const ids = rows.flatMap(({ actor }) => (actor?.kind === 'user' ? [actor.id] : []));
  return replicas.getMany<UserState>(tx, 'user', [...new Set(ids)]);
}

function userOf({ actor }: ActivityRow, users: ReadonlyMap<string, UserState>): CustomerActivityJson['user'] {
  const user = actor?.kind === 'user' ? users.get(actor.id) : undefined;
  if (!user) return null;
  const { firstName, lastName, email, deactivated } = user;
  const gravatar = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  return {
    user: { firstName, lastName, email },
    deactivated,
    avatar: '',
    fullName: `${firstName} ${lastName}`.trim(),
    initial: [firstName, lastName]
      .map((name) => name.slice(0, 1))
      .join('')
      .toUpperCase(),
    gravatarUrl: `https://www.gravatar.com/avatar/${gravatar}?d=mp`,
  };
}

const COLUMNS = { type: 'type', pinned: { sql: 'pinned', type: 'boolean' }, dateTime: 'at' } as const;

/** What happened to one customer, and to those who were merged into it. */
@Injectable()
export class ReadActivities {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** Pinned first, then newest. @throws 404 for an unknown customer. */
  list(tenantId: string, customerId: string, list: ListQuery): Promise<Page<CustomerActivityJson>> {
    return this.database.tenant(tenantId, async (tx) => {
      if ((await this.replicas.get(tx, 'customer', customerId)) === null) throw notFound('The customer');
      const merged = await mergedInto(tx, customerId);
      const { rows, total } = await listRows(tx, list, {
        table: activities,
        columns: COLUMNS,
        defaultOrder: 'pinned DESC, at DESC, id DESC',
        condition: (bind) => `customer_id = ANY (${bind([customerId, ...merged])}::uuid[])`,
      });
      const users = await usersOf(tx, this.replicas, rows);
      return page(
        rows.map((row) => representActivity(row, users)),
        total,
        list,
      );
    });
  }
}
