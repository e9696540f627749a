import { Get, Param, Query } from '@nestjs/common';
import { isUuid, notFound } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Internal } from '../internal/internal.js';
import { CopyWatch } from './copy-watch.js';
import { type OwnedObject, type ReplicaProvider, ReplicaSources } from './replica-source.js';

const PAGE = 200;
/** Longest wait of one question "have you version n of X?". */
const MAX_WAIT_MS = 2000;
const POLL_MS = 20;

/** The owner's side: one object, or all of a tenant in pages. */
@Internal('replicas')
export class ReplicaOwnerController {
  constructor(
    private readonly database: Database,
    private readonly sources: ReplicaSources,
  ) {}

  /** Tenants in pages; only identity knows them. */
  @Get(':kind')
  async tenants(@Param('kind') kind: string, @Query('after') after?: string): Promise<{ tenants: string[] }> {
    const { tenants } = this.source(kind);
    if (!tenants) throw notFound('The list of tenants');
    return { tenants: await tenants.call(this.source(kind), after || null, PAGE) };
  }

  /** The objects named by `id` (repeated), else a page of all. */
  @Get(':kind/:tenant')
  async objects(
    @Param('kind') kind: string,
    @Param('tenant') tenantId: string,
    @Query('id') id?: string | string[],
    @Query('after') after?: string,
  ): Promise<{ items: OwnedObject[] }> {
    const source = this.source(kind);
    await this.ensure(source, checked(tenantId));
    const read = (tx: TenantTx): Promise<OwnedObject[]> =>
      id === undefined ? source.page(tx, after || null, PAGE) : fetchMany(source, tx, [id].flat());
    return { items: await this.database.tenant(checked(tenantId), read, { readOnly: true }) };
  }

  /** A tenant's first objects exist before anybody copies one, whether or not the tenant's event has come. */
  private async ensure(source: ReplicaProvider, tenantId: string): Promise<void> {
    if (source.ensure) await this.database.tenant(tenantId, (tx) => source.ensure!(tx));
  }

  private source(kind: string): ReplicaProvider {
    const source = this.sources.get(kind);
    if (!source) throw notFound(`A source of ${kind}`);
    return source;
  }
}

/** The copier's side: "have you version n of X?", answered as soon as it has, or after `waitMs`. */
@Internal('copies')
export class ReplicaCopierController {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly watch: CopyWatch,
  ) {}

  @Get(':kind/:tenant/:id')
  async has(
    @Param('kind') kind: string,
    @Param('tenant') tenantId: string,
    @Param('id') id: string,
    @Query('version') version: string,
    @Query('waitMs') waitMs = '0',
  ): Promise<{ copied: boolean }> {
    const deadline = Date.now() + Math.min(Number(waitMs) || 0, MAX_WAIT_MS);
    for (;;) {
      const change = this.watch.next(POLL_MS);
      const stored = await this.database.tenant(checked(tenantId), (tx) => this.replicas.versionOf(tx, kind, id), {
        readOnly: true,
      });
      if (stored >= Number(version)) return { copied: true };
      if (Date.now() >= deadline) return { copied: false };
      await change;
    }
  }
}

async function fetchMany(source: ReplicaProvider, tx: TenantTx, ids: readonly string[]): Promise<OwnedObject[]> {
  const found: OwnedObject[] = [];
  for (const id of ids) {
    const object = await source.fetch(tx, id);
    if (object) found.push({ id, ...object });
  }
  return found;
}

function checked(tenantId: string): string {
  if (!isUuid(tenantId)) throw notFound('The tenant');
  return tenantId;
}
