import type { Day } from '@kontor/kernel';
import { BigintColumn, InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ChargeKind, StoredExplanation } from '../domain/charging/charge.js';
import type { Charge, ChargeBatch } from '../domain/charging/charge-batch.js';

/** What runs claim: a customer with all that it is billed for. */
@Entity('billing_account')
export class BillingAccountRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') customerId!: string;
  /** Rises with every change of what is billed. */
  @BigintColumn() version!: bigint;
  /** Number of batches ever made; the sequence of their events. */
  @BigintColumn() chargesSeq!: bigint;
  /** The earliest day on which something of it falls due; null: never, as things are. */
  @Column('text', { nullable: true }) dueOn!: Day | null;
  /** A run by request that wants this account, and until the end of which day (tenant's zone). */
  @Column('uuid', { nullable: true }) requestedRunId!: string | null;
  @Column('text', { nullable: true }) requestedDate!: Day | null;
}

/** One run. It is completed when no account and no batch is open; what failed is counted from its failures. */
@Entity('billing_run')
export class BillingRunRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Day in the tenant's zone. */
  @Column('text') date!: Day;
  @Column('text') kind!: 'daily' | 'requested';
  @Column('text') status!: 'running' | 'completed';
  /** Subscriptions that had something to bill. */
  @Column('int') due!: number;
  /** Accounts that it has still to bill. */
  @Column('int') accountsOpen!: number;
  /** Batches that are not answered yet. */
  @Column('int') batchesOpen!: number;
  /** Their lines. */
  @Column('int') linesOpen!: number;
  /** When a batch of it was last made or answered, on real time. */
  @InstantColumn() movedAt!: Date;
  /** What of the open batches made before `stuckBefore` was waited for in vain, in lines: it holds up no further ones. */
  @BigintColumn() stuckCost!: bigint;
  @Column('uuid', { nullable: true }) stuckBefore!: string | null;
  /** Accounts due until this instant were counted as open when it began. */
  @InstantColumn() openedAt!: Date;
  @InstantColumn() createdAt!: Date;
  @InstantColumn({ nullable: true }) completedAt!: Date | null;
}

@Entity('billing_run_failure')
export class BillingRunFailureRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') runId!: string;
  @PrimaryColumn('uuid') subscriptionId!: string;
  @Column('text') reason!: string;
}

/** The lines of one invoice, and what became of them. */
@Entity('charge_batch')
export class ChargeBatchRow implements ChargeBatch {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Null for an immediate billing. */
  @Column('uuid', { nullable: true }) runId!: string | null;
  @Column('uuid') customerId!: string;
  @Column('text') billingDay!: Day;
  @Column('text') groupingKey!: string;
  /** The ordinal of that day, or the operation id of an immediate billing. */
  @Column('text') batch!: string;
  @JsonColumn() subscriptionIds!: readonly string[];
  @Column('int') lines!: number;
  @InstantColumn({ nullable: true }) settledAt!: Date | null;
  @Column('uuid', { nullable: true }) invoiceId!: string | null;
  @Column('text', { nullable: true }) blockedReason!: string | null;
  @InstantColumn() createdAt!: Date;
}

/** A rated line. */
@Entity('charge')
export class ChargeRow implements Charge {
  @PrimaryColumn('uuid') tenantId!: string;
  @Column('uuid') id!: string;
  /** Null: not on any document, because it costs nothing and is shown only when charged. */
  @Column('uuid', { nullable: true }) batchId!: string | null;
  @Column('uuid') subscriptionId!: string;
  @PrimaryColumn('uuid') itemId!: string;
  @PrimaryColumn('text') kind!: ChargeKind;
  @Column('uuid') pricePlanId!: string;
  @Column('text') quantity!: string;
  @Column('text') currencyCode!: string;
  @Column('text') dueOn!: Day;
  @PrimaryColumn('text') serviceFrom!: Day;
  @Column('text') serviceTo!: Day;
  @Column('text') intervalFrom!: Day;
  @Column('text') intervalTo!: Day;
  /** Before discount. */
  @BigintColumn() netMinor!: bigint;
  @BigintColumn() discountMinor!: bigint;
  /** What is still paid for after credits: until when, and how much. */
  @Column('text') usedTo!: Day;
  @BigintColumn() usedMinor!: bigint;
  @Column('uuid', { nullable: true }) creditedChargeId!: string | null;
  /** Counts re-ratings of one period. */
  @PrimaryColumn('int') revision!: number;
  /** The frozen amounts that it was rated from. */
  @Column('uuid', { nullable: true }) closingId!: string | null;
  @JsonColumn() explanation!: StoredExplanation;
  @InstantColumn() createdAt!: Date;
}
