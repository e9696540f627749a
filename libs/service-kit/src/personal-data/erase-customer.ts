import type { ErasureObstaclesResponse, ErasureResponse } from '@kontor/contracts';
import type { Database, Replicas, TenantTx } from '@kontor/persistence';
import type { ServiceConfig } from '../config/service-config.js';
import type { InternalClient } from '../internal/internal-client.js';
import { type CustomerData, isLegalTerm, rowsOf } from './customer-table.js';
import { eraseEvents } from './erase-events.js';
import { besideTheTables, firstOf } from './kept-data.js';
import { endTerms } from './end-terms.js';
import { eraseRows, type Kept, readKept, readRemoved, type Whose } from './erase-rows.js';
import { COMMON_TABLES } from './common-tables.js';

/** How long one call works before it answers how far it came. */
const PATIENCE_MS = 5_000;

/** What prevents the anonymization of a customer in one service. */
export async function obstaclesIn(
  tx: TenantTx,
  { obstacles = [] }: CustomerData,
  customerId: string,
): Promise<ErasureObstaclesResponse['obstacles']> {
  const found: ErasureObstaclesResponse['obstacles'] = [];
  for (const { code, message, sql } of obstacles) {
    const [row] = await tx.query<{ there: boolean }>(`SELECT (${sql}) AS there`, [tx.tenantId, customerId]);
    if (row?.there) found.push({ code, message });
  }
  return found;
}

/** This service's part of the anonymization of a customer: in portions, each of which is done when it is committed. */
export class EraseCustomer {
  constructor(
    private readonly data: CustomerData,
    private readonly database: Database,
    private readonly client: InternalClient,
    private readonly config: ServiceConfig,
    /** Null where there are no copies of customers. */
    private readonly copies: { readonly replicas: Replicas | null },
  ) {}

  async obstacles({ tenantId, customerId }: Whose): Promise<ErasureObstaclesResponse> {
    const obstacles = await this.database.tenant(tenantId, (tx) => obstaclesIn(tx, this.data, customerId), {
      readOnly: true,
    });
    return { obstacles };
  }

  /** Goes on where it was; the answer says whether anything is left. `version`: that in which the customer is anonymized. */
  async erase(whose: Whose, version: number): Promise<ErasureResponse> {
    await this.awaitCreations(whose, version);
    const tables = [...this.data.tables, ...COMMON_TABLES];
    const until = performance.now() + PATIENCE_MS;
    let waiting: string[] = [];
    for (const table of tables) {
      while (performance.now() < until && (await eraseRows(this.database, whose, table, this.config)) > 0);
      while (performance.now() < until && (await endTerms(this.database, whose, table, this.data.tables)) > 0);
    }
    if (performance.now() >= until) waiting = ['more rows'];
    else waiting = await eraseEvents(this.database, this.client, whose);
    return this.database.tenant(
      whose.tenantId,
      async (tx) => {
        const left = waiting.length === 0 ? await this.left(tx, whose.customerId) : waiting;
        const kept = await this.kept(tx, whose.customerId);
        return {
          done: left.length === 0,
          removed: await readRemoved(tx, whose.customerId),
          kept: [...kept.map(({ data }) => data), ...(await besideTheTables(tx, this.config))],
          waiting: left,
          nextTerm: firstOf(kept),
        };
      },
      { readOnly: true },
    );
  }

  /** From here on whoever makes something for the customer sees that it is anonymized, and who was about to has ended. */
  private async awaitCreations({ tenantId, customerId }: Whose, version: number): Promise<void> {
    const { replicas } = this.copies;
    if (!replicas) return;
    await this.database.tenant(tenantId, async (tx) => {
      await replicas.atLeast(tx, 'customer', customerId, version);
      await replicas.awaitHolders(tx, 'customer', customerId);
    });
  }

  /** Rows that are to be deleted and may not be yet, such as what is still being delivered. */
  private async left(tx: TenantTx, customerId: string): Promise<string[]> {
    const left: string[] = [];
    for (const table of this.data.tables.filter(({ erasure, where }) => erasure === 'delete' && where)) {
      if (this.isHandledElsewhere(table.table)) continue;
      const [row] = await tx.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${table.table} t WHERE ${rowsOf(table)}`,
        [tx.tenantId, customerId],
      );
      if (row?.n) left.push(`${row.n} rows of ${table.table} that are in use`);
    }
    return left;
  }

  /** Tables of which other entries say what becomes of the remaining rows. */
  private readonly isHandledElsewhere = (name: string): boolean =>
    this.data.tables.filter(({ table }) => table === name).length > 1;

  private async kept(tx: TenantTx, customerId: string): Promise<Kept[]> {
    const kept: Kept[] = [];
    for (const table of this.data.tables.filter(({ erasure }) => isLegalTerm(erasure))) {
      const found = await readKept(tx, customerId, table);
      if (found) kept.push(found);
    }
    return kept;
  }
}
