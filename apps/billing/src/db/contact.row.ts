import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Customers that belong together for the tenant: "Resellers". */
@Entity('customer_group')
export class CustomerGroupRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') status!: 'active' | 'archived';
  /** Unique whatever its case. */
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

/** Somebody at a customer. */
@Entity('contact_person')
export class ContactPersonRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') customerId!: string;
  @Column('text', { nullable: true }) salutation!: string | null;
  @Column('text', { nullable: true }) firstName!: string | null;
  @Column('text') lastName!: string;
  @Column('text', { nullable: true }) email!: string | null;
  @Column('text', { nullable: true }) phone!: string | null;
  /** What they do there: "Accounting". */
  @Column('text', { nullable: true }) role!: string | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

/** An e-mail address of a customer beside its default one. */
@Entity('customer_email_address')
export class CustomerEmailRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** Follows from customer and address: the same one has the same id again. */
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') customerId!: string;
  @Column('text') email!: string;
  @InstantColumn() createdAt!: Date;
}
