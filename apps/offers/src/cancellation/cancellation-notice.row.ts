import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const NOTICE_KINDS = ['ordinary', 'extraordinary'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export const NOTICE_STATES = ['pending', 'cancelled', 'unclear', 'failed'] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** What somebody declared on the cancellation page, as it arrived. */
@Entity('cancellation_notice')
export class CancellationNoticeRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') kind!: NoticeKind;
  @Column('text') name!: string;
  @Column('text') email!: string;
  /** Which contract, in words of the one who cancels. */
  @Column('text') contract!: string;
  @Column('text', { nullable: true }) reason!: string | null;
  /** `YYYY-MM-DD`; null: as early as possible. */
  @Column('text', { nullable: true }) wantedOn!: string | null;
  @Column('text') language!: string;
  /** `unclear`: nobody but staff can say which contract is meant. */
  @Column('text') state!: NoticeState;
  @Column('text', { nullable: true }) failure!: string | null;
  @Column('uuid', { nullable: true }) customerId!: string | null;
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  @InstantColumn() receivedAt!: Date;
}

export const cancellationNotices = rowTable(CancellationNoticeRow);
