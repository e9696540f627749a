import { BigintColumn, InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Tenant } from '../domain/tenant.js';

@Entity('tenant')
export class TenantRow implements Tenant {
  @PrimaryColumn('uuid') tenantId!: string;
  @BigintColumn() version!: bigint;
  @Column('text') name!: string;
  @Column('text') mode!: 'live' | 'sandbox';
  @Column('text') status!: Tenant['status'];
  @Column('text') plan!: 'standard' | 'enterprise';
  @JsonColumn() features!: string[];
  @Column('text') timeZone!: string;
  @Column('text') currencyCode!: string;
  @InstantColumn() createdAt!: Date;
}

export const tenants = rowTable(TenantRow);
