import type { ErasureResponse, ServiceName } from '@kontor/contracts';
import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeletionStatus } from '../domain/tenant-deletion.js';
import type { AuditParty } from './audit-entry.row.js';

/** What a service answered last. */
export interface DeletionPart extends ErasureResponse {
  readonly service: ServiceName;
}

/** The deletion of a tenant, and how far the services are. It stays when nothing else is left. Times are the tenant's. */
@Entity('tenant_deletion')
export class TenantDeletionRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @Column('text') status!: DeletionStatus;
  /** What the tenant was, and is again when this is taken back. */
  @Column('text') statusBefore!: 'active' | 'suspended';
  /** Nothing has to stay: it is a sandbox. */
  @Column('boolean') wholly!: boolean;
  @InstantColumn() requestedAt!: Date;
  @JsonColumn({ nullable: true }) requestedBy!: AuditParty | null;
  /** Until then it can be taken back. */
  @InstantColumn() eraseAt!: Date;
  @InstantColumn({ nullable: true }) erasedAt!: Date | null;
  @InstantColumn({ nullable: true }) completedAt!: Date | null;
  @JsonColumn() parts!: DeletionPart[];
}

export const tenantDeletions = rowTable(TenantDeletionRow);
