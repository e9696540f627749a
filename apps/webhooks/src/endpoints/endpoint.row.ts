import type { Tx } from '@kontor/kernel';
import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Why an endpoint gets nothing: its owner disabled it, it answered 410, or it failed for days. */
export type DisabledReason = 'manual' | 'gone' | 'failing';

/** A receiver. */
@Entity('webhook_endpoint')
export class EndpointRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('integer') version!: number;
  @Column('text') url!: string;
  /** Patterns of event names. */
  @JsonColumn() events!: string[];
  @Column('boolean') enabled!: boolean;
  @Column('text', { nullable: true }) disabledReason!: DisabledReason | null;
  @Column('text', { nullable: true }) description!: string | null;
  /** Sealed under SECRETS_KEY with the endpoint's id. */
  @Column('text') secret!: string;
  @Column('integer') failingDays!: number;
  @Column('date', { nullable: true }) failingDay!: string | null;
  @InstantColumn() createdAt!: Date;
}

export const endpoints = rowTable(EndpointRow);

/** The endpoint, locked until the transaction ends; null when there is none. */
export const lockEndpoint = (tx: Tx, id: string): Promise<EndpointRow | null> =>
  endpoints.get(tx, id, { lock: 'update' });
