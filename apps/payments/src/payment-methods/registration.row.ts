import { InstantColumn, JsonColumn, type NewRow, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { GatewayName, MethodSource } from '../domain/payment-methods/payment-method.js';

/**
 * What a provider was asked for. `asking`: the answer is not known yet, or the provider's credentials are not set;
 * `waiting`: for the payer's action; `done`: the method exists and can be used; `failed`: refused.
 */
@Entity('method_registration')
export class RegistrationRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  /** The method's id. */
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'text', update: false }) readonly gatewayName!: GatewayName;
  @Column({ type: 'text', update: false }) readonly source!: MethodSource;
  @Column({ type: 'boolean', update: false }) readonly wantsDefault!: boolean;
  @Column({ type: 'boolean', update: false }) readonly futureUsageAllowed!: boolean;
  @JsonColumn({ update: false }) readonly input!: {
    readonly cardProvider: Record<string, unknown> | null;
    readonly debitProvider: Record<string, unknown> | null;
    /** The token of our return page, sealed: the provider is asked again with the same address. */
    readonly returnToken: string;
  };
  @Column('text') state!: 'asking' | 'waiting' | 'done' | 'failed';
  @Column('text', { nullable: true }) referenceId!: string | null;
  @Column('text', { nullable: true }) actionUrl!: string | null;
  @Column('text', { nullable: true }) failReason!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly redirectUrl!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly linkId!: string | null;
  @Column({ type: 'text', update: false }) readonly tokenDigest!: string;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export type Registration = NewRow<RegistrationRow>;

export const registrations = rowTable(RegistrationRow);
