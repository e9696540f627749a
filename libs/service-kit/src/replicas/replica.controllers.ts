import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { isUuid, notFound } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Internal } from '../internal/internal.js';
import { type CopyRef, CopyWatch } from './copy-watch.js';
import { type OwnedObject, type ReplicaProvider, ReplicaSources } from './replica-source.js';

const PAGE = 200;
const MAX_WAIT_MS = 2000;
/** How long this process may be the one that stores a copy before the database is asked; then twice as long, and so on. */
const FIRST_LOOK_MS = 50;

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

/** The copier's side: "have you these versions?", answered as soon as it has one of them, or after `waitMs`. */
@Internal('copies')
export class ReplicaCopierController {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly watch: CopyWatch,
  ) {}

  @Post()
  @HttpCode(200)
  async has(@Body() body: { copies: CopyRef[] }, @Query('waitMs') waitMs = '0'): Promise<{ copied: boolean[] }> {
    const { copies } = body;
    const deadline = performance.now() + Math.min(Number(waitMs) || 0, MAX_WAIT_MS);
    const found = new Set<CopyRef>();
    const known = (): boolean[] => copies.map((copy) => found.has(copy) || this.watch.knows(copy));
    for (let lookMs = FIRST_LOOK_MS; ; lookMs *= 2) {
      if (known().includes(true)) break;
      await this.watch.anyOf(copies, Math.max(Math.min(lookMs, deadline - performance.now()), 0));
      if (known().includes(true)) {
        // What was stored in the same transaction belongs to the same answer.
        await new Promise(setImmediate);
        break;
      }
      // What another process of this service stored, or this one before it can remember.
      for (const copy of await this.inDatabase(copies)) found.add(copy);
      if (performance.now() >= deadline) break;
    }
    return { copied: known() };
  }

  private async inDatabase(copies: readonly CopyRef[]): Promise<CopyRef[]> {
    const stored: CopyRef[] = [];
    for (const [tenantId, ofTenant] of Map.groupBy(copies, (copy) => checked(copy.tenantId)))
      for (const [kind, ofKind] of Map.groupBy(ofTenant, (copy) => copy.kind)) {
        const ids = ofKind.map((copy) => copy.id);
        const read = (tx: TenantTx): Promise<Map<string, number>> => this.replicas.versionsOf(tx, kind, ids);
        const versions = await this.database.tenant(tenantId, read, { readOnly: true });
        stored.push(...ofKind.filter((copy) => (versions.get(copy.id) ?? -1) >= copy.version));
      }
    return stored;
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
