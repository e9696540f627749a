import type { ReferencesResponse, ReleaseCustomerRequest, Principal } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { Body, Get, HttpCode, Post } from '@nestjs/common';
import { Caller, IdParam } from '../http/route-params.js';
import { Internal } from '../internal/internal.js';
import { CustomerReferences } from './customer-references.js';

/** Rolls back what releases a customer. */
class StillReferred extends Error {
  constructor(readonly references: string[]) {
    super('something refers to the customer');
    this.name = 'StillReferred';
  }
}

/** For billing, before it deletes a customer. @see docs/adr/0040-who-is-deleted-is-released-first.md */
@Internal('customers')
export class CustomerReferencesInternal {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly kept: CustomerReferences,
  ) {}

  /** What refers to the customer now. */
  @Get(':id/references')
  references(@Caller() { tenantId }: Principal, @IdParam() id: string): Promise<ReferencesResponse> {
    return this.database.tenant(tenantId, async (tx) => ({ references: await this.kept.find(tx, id) }), {
      readOnly: true,
    });
  }

  /** Releases the customer where nothing refers to it, and from then on nothing does; else changes nothing. */
  @Post(':id/release')
  @HttpCode(200)
  async release(
    @Caller() { tenantId }: Principal,
    @IdParam() id: string,
    @Body() { version }: ReleaseCustomerRequest,
  ): Promise<ReferencesResponse> {
    try {
      await this.database.tenant(tenantId, async (tx) => {
        await this.kept.awaitOthers(tx);
        await this.replicas.release(tx, 'customer', id, version);
        const references = await this.kept.find(tx, id);
        if (references.length > 0) throw new StillReferred(references);
      });
      return { references: [] };
    } catch (error) {
      if (!(error instanceof StillReferred)) throw error;
      return { references: error.references };
    }
  }
}
