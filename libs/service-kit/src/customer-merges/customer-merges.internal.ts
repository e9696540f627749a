import type {
  CheckMergeRequest,
  CheckMergeResponse,
  CheckUndoResponse,
  MergedObjectsResponse,
  MergeProgress,
  MergeProgressResponse,
  Principal,
} from '@kontor/contracts';
import { countCustomerRows, type CustomerMerge, Database, mergedObjects } from '@kontor/persistence';
import { Body, Get, Post, Query } from '@nestjs/common';
import { Caller, IdParam } from '../http/route-params.js';
import { Internal } from '../internal/internal.js';
import { CustomerMover } from './customer-mover.js';

/** For billing: may these customers be merged, how far is it, and what was moved? */
@Internal('customer-merges')
export class CustomerMergesInternal {
  constructor(
    private readonly database: Database,
    private readonly mover: CustomerMover,
  ) {}

  @Post('check')
  check(@Caller() { tenantId }: Principal, @Body() request: CheckMergeRequest): Promise<CheckMergeResponse> {
    return this.database.tenant(
      tenantId,
      async (tx) => ({
        conflicts: await this.mover.conflicts(tx, request),
        moves: await countCustomerRows(tx, request.sourceCustomerId, this.mover.rows),
      }),
      { readOnly: true },
    );
  }

  @Post(':id/check-undo')
  checkUndo(@Caller() { tenantId }: Principal, @IdParam() id: string): Promise<CheckUndoResponse> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const [merge] = await tx.query<CustomerMerge>(
          `SELECT merge_id AS "mergeId", source_customer_id AS "sourceCustomerId", survivor_id AS "survivorId"
           FROM customer_merge WHERE tenant_id = $1 AND merge_id = $2 AND status = 'completed'`,
          [tx.tenantId, id],
        );
        if (merge) return { conflicts: await this.mover.undoConflicts(tx, merge) };
        return {
          conflicts: [{ code: 'merge_running', message: 'The merge is not completed yet; try again in a moment.' }],
        };
      },
      { readOnly: true },
    );
  }

  @Get()
  progress(@Caller() { tenantId }: Principal, @Query('ids') ids: string): Promise<MergeProgressResponse> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const rows = await tx.query<
          Omit<MergeProgress, 'completedAt' | 'undoneAt'> & Record<'completedAt' | 'undoneAt', Date | null>
        >(
          `SELECT merge_id AS "mergeId", status, moved, completed_at AS "completedAt", undone_at AS "undoneAt" FROM customer_merge
           WHERE tenant_id = $1 AND merge_id = ANY ($2::uuid[])`,
          [tx.tenantId, ids.split(',')],
        );
        return {
          merges: rows.map((row) => ({
            ...row,
            completedAt: row.completedAt?.toISOString() ?? null,
            undoneAt: row.undoneAt?.toISOString() ?? null,
          })),
        };
      },
      { readOnly: true },
    );
  }

  @Get(':id/objects')
  objects(
    @Caller() { tenantId }: Principal,
    @IdParam() id: string,
    @Query('limit') limit: string,
    @Query('offset') offset: string,
  ): Promise<MergedObjectsResponse> {
    return this.database.tenant(tenantId, (tx) => mergedObjects(tx, id, Number(limit), Number(offset)), {
      readOnly: true,
    });
  }
}
