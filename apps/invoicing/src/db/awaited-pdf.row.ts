import type { EventOf, IntentState, invoiceFinalizingV1 } from '@kontor/contracts';
import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document whose PDF the tenant's own system renders, while that PDF is not there. */
@Entity('awaited_pdf')
export class AwaitedPdfRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') invoiceId!: string;
  @InstantColumn({ update: false }) requestedAt!: Date;
  /** When it was reported that the time is over and nothing renders the document instead. */
  @InstantColumn({ nullable: true }) alarmedAt!: Date | null;
  /** What payments gets once the PDF is there; null when it had it at once, or has nothing to do. */
  @Column({ type: 'json', nullable: true, update: false })
  finalizing!: EventOf<typeof invoiceFinalizingV1>['payload'] | null;
  /** What payments has reported meanwhile, which the document shows once its PDF is there. */
  @Column({ type: 'json', nullable: true }) reported!: {
    readonly version: number;
    readonly state: IntentState;
  } | null;
}

export const awaitedPdfTable = rowTable(AwaitedPdfRow);
