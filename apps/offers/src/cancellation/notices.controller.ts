import { Controller, Get } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, listRows, Operation, page } from '@kontor/service-kit';
import { notFound } from '@kontor/kernel';
import { type CancellationNoticeRow, cancellationNotices, NOTICE_STATES } from './cancellation-notice.row.js';
import { CancellationNoticeSchema } from './notice.schema.js';

const LIST = { filters: { state: NOTICE_STATES, customer: 'uuid' }, order: ['receivedAt'] } as const;
const COLUMNS = {
  state: 'state',
  customer: { sql: 'customer_id', type: 'uuid' },
  receivedAt: 'received_at',
} as const;
const read = { tag: 'Cancellations', permission: 'subscription:read', response: CancellationNoticeSchema } as const;

/** What was declared on the public page, for staff. */
@Controller('cancellation-notices')
export class NoticesController {
  constructor(private readonly database: Database) {}

  @Get()
  @Operation({
    id: 'listCancellationNotices',
    summary: 'Cancellations that were declared on the public page',
    description:
      'An extraordinary one has cancelled at the next possible time; whether it ends the contract at once is for you to decide.',
    ...read,
  })
  list(@Caller() caller: Principal, @List(LIST) list: ListQuery) {
    return this.database.tenant(
      caller.tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: cancellationNotices,
          columns: COLUMNS,
          defaultOrder: 'received_at DESC, id DESC',
        });
        return page(rows.map(represent), total, list);
      },
      { readOnly: true },
    );
  }

  @Get(':id')
  @Operation({ id: 'getCancellationNotice', summary: 'Get a declared cancellation', ...read })
  get(@Caller() caller: Principal, @IdParam() id: string) {
    return this.database.tenant(
      caller.tenantId,
      async (tx) => {
        const notice = await cancellationNotices.get(tx, id);
        if (!notice) throw notFound('The cancellation notice');
        return represent(notice);
      },
      { readOnly: true },
    );
  }
}

const represent = (notice: CancellationNoticeRow) => ({
  id: notice.id,
  kind: notice.kind,
  name: notice.name,
  email: notice.email,
  contract: notice.contract,
  reason: notice.reason,
  wantedOn: notice.wantedOn,
  state: notice.state,
  failure: notice.failure,
  customer: notice.customerId === null ? null : { id: notice.customerId },
  subscription: notice.subscriptionId === null ? null : { id: notice.subscriptionId },
  receivedAt: notice.receivedAt.toISOString(),
});
