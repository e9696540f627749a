import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ClockProblem } from '../domain/quiescence.js';

/** A clock that was moved at least once. */
@Entity('sandbox_clock')
export class SandboxClockRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @Column('text') status!: 'ready' | 'advancing';
  /** Where the advance under way ends; null when ready. */
  @InstantColumn({ nullable: true }) target!: Date | null;
  /** Messages that were parked before this advance: not counted as problems of this one. Null until first counted. */
  @Column('integer', { nullable: true }) parkedBefore!: number | null;
  /** Why the last advance ended before its target. */
  @JsonColumn() problems!: ClockProblem[];
}

export const sandboxClocks = rowTable(SandboxClockRow);
