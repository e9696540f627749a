import { BigintColumn } from '@kontor/persistence';
import { Entity, PrimaryColumn } from 'typeorm';

/** How far a partition of the topic is stored. */
@Entity('usage_intake_offset')
export class UsageIntakeOffsetRow {
  @PrimaryColumn('text') topic!: string;
  @PrimaryColumn('integer') partition!: number;
  @BigintColumn() nextOffset!: bigint;
}
