import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link with which a customer logs in once; the digest is SHA-256 of its token. Times are real time. */
@Entity('login_link')
export class LoginLinkRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') requestId!: string;
  @Column('uuid') customerId!: string;
  @Column('bytea') digest!: Buffer;
  /** The sign-in to an app for which it was made. */
  @Column('text', { nullable: true }) interaction!: string | null;
  @InstantColumn() expiresAt!: Date;
  @InstantColumn({ nullable: true }) usedAt!: Date | null;
  /** SHA-256 of a secret of the browser in which it was used. */
  @Column('bytea', { nullable: true }) usedBy!: Buffer | null;
}

export const loginLinks = rowTable(LoginLinkRow);
