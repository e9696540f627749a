import type { EventHeaders } from '@kontor/contracts';
import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An entry of a customer's activity log. */
@Entity('activity')
export class ActivityRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Null for what concerns the tenant as a whole. */
  @Column('uuid', { nullable: true }) customerId!: string | null;
  @Column('text') type!: string;
  @InstantColumn() at!: Date;
  /** Null for the system. */
  @JsonColumn({ nullable: true }) actor!: EventHeaders['actor'] | null;
  @JsonColumn() metadata!: Record<string, unknown>;
  @Column('boolean') pinned!: boolean;
}

export const activities = rowTable(ActivityRow);
