import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody asked for links to log in. The tenant is nobody's where none was named: then all tenants' customers are meant. */
@Entity('login_request')
export class LoginRequestRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** In lower case. */
  @Column('text') email!: string;
  /** The sign-in to an app that waits for it in a browser; null: to the customer area. */
  @Column('text', { nullable: true }) interaction!: string | null;
  /** Real time. */
  @InstantColumn() createdAt!: Date;
}

export const loginRequests = rowTable(LoginRequestRow);
