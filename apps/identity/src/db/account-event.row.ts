import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What happened to an account, until the logs, copies and mails of its tenants know. The tenant is nobody's. */
@Entity('account_event')
export class AccountEventRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') type!: string;
  @Column('uuid', { nullable: true }) personId!: string | null;
  /** In lower case; of somebody who may be nobody. */
  @Column('text', { nullable: true }) email!: string | null;
  /** The one that it concerns; null: all of the person's. */
  @Column('uuid', { nullable: true }) onlyTenant!: string | null;
  @Column('text', { nullable: true }) address!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @JsonColumn() metadata!: Record<string, unknown>;
  @InstantColumn() createdAt!: Date;
}

export const accountEvents = rowTable(AccountEventRow);
