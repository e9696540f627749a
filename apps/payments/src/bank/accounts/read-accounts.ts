import { Database } from '@kontor/persistence';
import { type ListQuery, listSql, page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { bankAccounts } from './bank-account.row.js';
import { representAccount } from './represent-account.js';

const READ_ONLY = { readOnly: true };

@Injectable()
export class ReadAccounts {
  constructor(private readonly database: Database) {}

  list(tenantId: string, list: ListQuery) {
    const q = listSql(list, { columns: {}, usedParams: 1 });
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const [count] = await tx.query<{ n: bigint }>('SELECT count(*) AS n FROM bank_account WHERE tenant_id = $1', [
          tx.tenantId,
        ]);
        const rows = await bankAccounts.where(tx, `true ORDER BY ${q.orderBy} LIMIT ${q.limit} OFFSET ${q.offset}`, []);
        return page(rows.map(representAccount), count?.n ?? 0, list);
      },
      READ_ONLY,
    );
  }
}
