import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody was asked by mail to become a user of the tenant. */
@Entity('user_invitation')
export class UserInvitationRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') email!: string;
  @JsonColumn() roles!: string[];
  @Column('text') language!: 'de' | 'en';
  @Column('text') status!: 'pending' | 'accepted' | 'revoked';
  @Column('bytea') digest!: Buffer;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() expiresAt!: Date;
  @InstantColumn({ nullable: true }) answeredAt!: Date | null;
}

export const userInvitations = rowTable(UserInvitationRow);
