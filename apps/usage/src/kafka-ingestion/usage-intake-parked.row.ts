import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A message that was refused, with its reason and its bytes. */
@Entity('usage_intake_parked')
export class UsageIntakeParkedRow {
  @PrimaryColumn('text') topic!: string;
  @PrimaryColumn('integer') partition!: number;
  @PrimaryColumn('bigint') offset!: bigint;
  /** Null where the message names no tenant. */
  @Column('text', { nullable: true }) tenant!: string | null;
  @Column('text') code!: string;
  @Column('text') message!: string;
  @Column('bytea') value!: Buffer;
  @InstantColumn() parkedAt!: Date;
}
