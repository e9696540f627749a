import { Get } from '@nestjs/common';
import type { ReferencesResponse, Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Internal } from '@kontor/service-kit';

/** For billing, before it deletes a tax group: drafts that name it could not be finalized. */
@Internal('tax-groups')
export class TaxGroupReferencesInternal {
  constructor(private readonly database: Database) {}

  @Get(':id/references')
  async references(@Caller() { tenantId }: Principal, @IdParam() id: string): Promise<ReferencesResponse> {
    const drafts = await this.database.tenant(
      tenantId,
      (tx) =>
        tx.query(
          `SELECT FROM invoice i
           JOIN invoice_position p ON p.tenant_id = $1 AND p.invoice_id = i.id AND p.tax_group_id = $2
           WHERE i.tenant_id = $1 AND i.status = 'STATUS_DRAFT'
           LIMIT 1`,
          [tenantId, id],
        ),
      { readOnly: true },
    );
    return { references: drafts.length > 0 ? ['draft'] : [] };
  }
}
