import { BigintColumn } from '@kontor/persistence';
import { Entity, PrimaryColumn } from 'typeorm';

/** One row per object ever announced: its last sequence, and the lock under which its queues change. */
@Entity('webhook_object')
export class ObjectRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('text') objectId!: string;
  @BigintColumn() lastSequence!: bigint;
}
