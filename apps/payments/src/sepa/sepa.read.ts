import { notFound } from '@kontor/kernel';
import { BlobStore, Database, type TenantTx } from '@kontor/persistence';
import { countMatching, type ListQuery, listSql, page, SecretBox } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { representSepaFile, representSepaOrder } from './represent-sepa-file.js';
import { FILE_TYPES, type SepaFileDetails } from './sepa.schema.js';
import { type SepaFile, sepaFiles } from './sepa-file.row.js';
import { type SepaKind, sepaOrders } from './sepa-order.row.js';

@Injectable()
export class ReadSepaFiles {
  constructor(
    private readonly database: Database,
    private readonly blobs: BlobStore,
    private readonly secrets: SecretBox,
  ) {}

  list(tenantId: string, list: ListQuery) {
    const type = list.filters['type']?.map((name) => kindOf(name));
    const filtered = { ...list, filters: { ...list.filters, ...(type && { type }) } };
    const q = listSql(filtered, {
      columns: { type: 'kind', createdAt: 'created_at' },
      usedParams: 1,
      defaultOrder: 'created_at DESC NULLS LAST, id DESC',
    });
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const from = `FROM sepa_file WHERE tenant_id = $1 AND ${q.where}`;
        const total = await countMatching(tx, from, [tx.tenantId, ...q.params]);
        const rows = await sepaFiles.page(tx, q.where, q.params, q);
        return page(rows.map(representSepaFile), total, list);
      },
      { readOnly: true },
    );
  }

  /** The file's bytes, the same at each download. @throws DomainError `not_found`. */
  async xml(tenantId: string, id: string): Promise<{ fileName: string; xml: string }> {
    const file = await this.database.tenant(tenantId, (tx) => this.find(tx, id), { readOnly: true });
    const sealed = await this.blobs.get(file.blobKey);
    return { fileName: file.fileName, xml: this.secrets.open(sealed.toString(), id) };
  }

  /** What is in it and what has become of it. @throws DomainError `not_found`. */
  get(tenantId: string, id: string): Promise<SepaFileDetails> {
    return this.database.tenant(tenantId, (tx) => this.details(tx, id), { readOnly: true });
  }

  /** {@link get} in the caller's transaction. */
  async details(tx: TenantTx, id: string): Promise<SepaFileDetails> {
    const file = await this.find(tx, id);
    const orders = await sepaOrders.where(tx, 'file_id = $2 ORDER BY id', [id]);
    return { ...representSepaFile(file), payments: orders.map(representSepaOrder) };
  }

  private async find(tx: TenantTx, id: string): Promise<SepaFile> {
    const file = await sepaFiles.get(tx, id);
    if (!file) throw notFound('The SEPA file');
    return file;
  }
}

const kindOf = (name: string): string =>
  (Object.keys(FILE_TYPES) as SepaKind[]).find((kind) => FILE_TYPES[kind] === name) ?? name;
