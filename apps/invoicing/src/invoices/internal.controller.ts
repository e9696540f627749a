import { Get } from '@nestjs/common';
import type { CustomerReferencesResponse, InvoiceReference, Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database, selectRows } from '@kontor/persistence';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { StoredNoticeRow } from '../db/document.row.js';

/** For billing: may a customer be deleted? */
@Internal('customers')
export class CustomerReferencesInternal {
  constructor(private readonly database: Database) {}

  @Get(':id/references')
  async references(@Caller() caller: Principal, @IdParam() id: string): Promise<CustomerReferencesResponse> {
    const rows = await this.database.tenant(
      caller.tenantId,
      (tx) => tx.query('select 1 from invoice where customer_id = $1 limit 1', [id]),
      { readOnly: true },
    );
    return { references: rows.length > 0 ? ['invoice'] : [] };
  }
}

/** For payments: does a document without an intent (a draft, one over zero) exist, and whose is it? */
@Internal('invoice-references')
export class InvoiceReferencesInternal {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  @Get(':id')
  async reference(@Caller() caller: Principal, @IdParam() id: string): Promise<InvoiceReference> {
    const [row] = await this.database.tenant(
      caller.tenantId,
      (tx) => tx.query<InvoiceReference>('select id, customer_id as "customerId" from invoice where id = $1', [id]),
      { readOnly: true },
    );
    if (!row) throw notFound('The invoice');
    return row;
  }
}

/** For the receivers of notices: what was too large for its event. */
@Internal('stored-notices')
export class StoredNoticesInternal {
  constructor(private readonly database: Database) {}

  @Get(':id')
  async notice(@Caller() caller: Principal, @IdParam() id: string): Promise<Record<string, unknown>> {
    const [row] = await this.database.tenant(caller.tenantId, (tx) => selectRows(tx, StoredNoticeRow, 't.id = $1', [id]), {
      readOnly: true,
    });
    if (!row) throw notFound('The notice');
    return row.data;
  }
}
