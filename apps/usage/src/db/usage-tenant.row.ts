import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Entity, PrimaryColumn } from 'typeorm';

/** What ingestion and retention know of a tenant. No tenant's data: without row-level security. */
@Entity('usage_tenant')
export class UsageTenantRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** Rises with every change of the tenant's customers. */
  @BigintColumn() customersVersion!: bigint;
  /** Since when the raw events are complete; null: retention has removed none. */
  @InstantColumn({ nullable: true }) rawFrom!: Date | null;
}

export const usageTenants = rowTable(UsageTenantRow);
