import { BigintColumn, InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody, or something, as the log names it for ever. */
export interface AuditParty {
  readonly kind: string;
  readonly id: string | null;
  readonly name: string | null;
}

/** An entry of the audit log. Number and hashes are the database's. */
@Entity('audit_entry')
export class AuditEntryRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @BigintColumn() number!: bigint;
  @Column('text') type!: string;
  @InstantColumn() at!: Date;
  /** Who did it; null: the system. */
  @JsonColumn({ nullable: true }) actor!: AuditParty | null;
  /** To whom, or to what. */
  @JsonColumn({ nullable: true }) subject!: AuditParty | null;
  @Column('text', { nullable: true }) address!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @JsonColumn() metadata!: Record<string, unknown>;
  @Column('bytea') previousHash!: Buffer;
  @Column('bytea') hash!: Buffer;
}

export const auditEntries = rowTable(AuditEntryRow);
