import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer's session; the digests are SHA-256 of the tokens. */
@Entity('customer_session')
export class CustomerSessionRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') customerId!: string;
  @Column('bytea') accessDigest!: Buffer;
  @InstantColumn() accessExpiresAt!: Date;
  @Column('bytea') refreshDigest!: Buffer;
  /** The one before it, which ends the session when it is shown again. */
  @Column('bytea', { nullable: true }) previousRefreshDigest!: Buffer | null;
  /** What all refresh tokens of the session have in common. Null: it was opened before there were families, and not renewed since. */
  @Column('bytea', { nullable: true }) refreshFamily!: Buffer | null;
  @InstantColumn() refreshExpiresAt!: Date;
}

export const customerSessions = rowTable(CustomerSessionRow);
