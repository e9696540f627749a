import { Injectable } from '@nestjs/common';
import { isUuid } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { ServiceUnavailable } from '@kontor/service-kit';

/** How many unknown ids of one request are asked for at the owner: a copy may be a moment behind, but not by many customers. */
const MAX_READ_THROUGH = 5;

export interface LookUpOptions {
  /** An owner that is away is an error, not a customer that does not exist. */
  readonly ownerMustAnswer?: boolean;
}

interface Found {
  reference: string;
  id: string;
}

/** Customer ids for what clients call their customers: an id when it has UUID syntax, else the external id or the customer number. */
@Injectable()
export class FindCustomers {
  constructor(private readonly replicas: Replicas) {}

  /** By reference as it was given; unknown ones are missing. An external id wins over another customer's number. */
  async execute(tx: TenantTx, references: Iterable<string>, options: LookUpOptions = {}): Promise<Map<string, string>> {
    const wanted = [...new Set(references)];
    const ids = wanted.filter(isUuid);
    const names = wanted.filter((reference) => !isUuid(reference));
    const found = new Map<string, string>();
    if (names.length > 0) {
      const rows = await tx.query<Found>(
        `SELECT customer_number AS reference, id FROM replica WHERE tenant_id = $1 AND customer_number = ANY($2::text[]) AND NOT deleted
         UNION ALL
         SELECT external_id AS reference, id FROM replica WHERE tenant_id = $1 AND external_id = ANY($2::text[]) AND NOT deleted`,
        [tx.tenantId, names],
      );
      for (const row of rows) found.set(row.reference, row.id);
    }
    if (ids.length > 0) await this.addById(tx, ids, found, options);
    return found;
  }

  private async addById(tx: TenantTx, ids: readonly string[], found: Map<string, string>, options: LookUpOptions): Promise<void> {
    const lower = [...new Set(ids.map((id) => id.toLowerCase()))];
    const rows = await tx.query<{ id: string; deleted: boolean }>(
      "SELECT id, deleted FROM replica WHERE tenant_id = $1 AND kind = 'customer' AND id = ANY($2::text[])",
      [tx.tenantId, lower],
    );
    const copied = new Set(rows.map((row) => row.id));
    const known = new Set(rows.filter((row) => !row.deleted).map((row) => row.id));
    for (const id of lower.filter((one) => !copied.has(one)).slice(0, MAX_READ_THROUGH)) {
      if (await this.existsAtOwner(tx, id, options)) known.add(id);
    }
    for (const id of ids) if (known.has(id.toLowerCase())) found.set(id, id.toLowerCase());
  }

  /** While the owner is away, a customer that is not copied here counts as unknown: the rest of the request is taken all the same. */
  private async existsAtOwner(tx: TenantTx, id: string, { ownerMustAnswer = false }: LookUpOptions): Promise<boolean> {
    try {
      return (await this.replicas.get(tx, 'customer', id)) !== null;
    } catch (error) {
      if (error instanceof ServiceUnavailable && !ownerMustAnswer) return false;
      throw error;
    }
  }
}
