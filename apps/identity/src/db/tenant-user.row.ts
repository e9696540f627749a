import { BigintColumn, InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a person is in a tenant. */
@Entity('tenant_user')
export class TenantUserRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') personId!: string;
  @BigintColumn() version!: bigint;
  /** Names of built-in roles, ids of the tenant's own. */
  @JsonColumn() roles!: string[];
  /** Was one once. */
  @Column('boolean') deactivated!: boolean;
  @InstantColumn() createdAt!: Date;
}

export const tenantUsers = rowTable(TenantUserRow);
