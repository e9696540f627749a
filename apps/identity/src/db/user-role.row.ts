import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A role that a tenant made itself. */
@Entity('user_role')
export class UserRoleRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @JsonColumn() permissions!: string[];
  @InstantColumn() createdAt!: Date;
}

export const userRoles = rowTable(UserRoleRow);
