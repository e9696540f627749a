import { Get, Param, Query } from '@nestjs/common';
import { isUuid, notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Internal } from '../internal/internal.js';
import { CopyWatch } from './copy-watch.js';
import { type OwnedObject, type ReplicaProvider, ReplicaSources } from './replica-source.js';

const PAGE = 200;
/** Longest wait of one question "have you version n of X?". */
const MAX_WAIT_MS = 2000;
const LOOK_AGAIN_MS = 20;

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

  @Get(':kind/:tenant')
  async page(
    @Param('kind') kind: string,
    @Param('tenant') tenantId: string,
    @Query('after') after?: string,
  ): Promise<{ items: OwnedObject[] }> {
    const source = this.source(kind);
    return { items: await this.database.tenant(checked(tenantId), (tx) => source.page(tx, after || null, PAGE), { readOnly: true }) };
  }

  @Get(':kind/:tenant/:id')
  async one(
    @Param('kind') kind: string,
    @Param('tenant') tenantId: string,
    @Param('id') id: string,
  ): Promise<{ object: { version: number; data: unknown } | null }> {
    const source = this.source(kind);
    return { object: await this.database.tenant(checked(tenantId), (tx) => source.fetch(tx, id), { readOnly: true }) };
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
      const change = this.watch.next(LOOK_AGAIN_MS);
      const own = await this.database.tenant(checked(tenantId), (tx) => this.replicas.versionOf(tx, kind, id), { readOnly: true });
      if (own >= Number(version)) return { copied: true };
      if (Date.now() >= deadline) return { copied: false };
      await change;
    }
  }
}

function checked(tenantId: string): string {
  if (!isUuid(tenantId)) throw notFound('The tenant');
  return tenantId;
}
