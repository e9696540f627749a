import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type AddressType = 'TYPE_DEFAULT' | 'TYPE_INVOICE';

/** A postal address of a customer; at most one per type is the default. */
@Entity('customer_address')
export class CustomerAddressRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') customerId!: string;
  @Column('text') type!: AddressType;
  @Column('boolean') isDefault!: boolean;
  @Column('text') status!: 'active' | 'archived';
  @Column('text', { nullable: true }) companyName!: string | null;
  @Column('text', { nullable: true }) salutation!: string | null;
  @Column('text', { nullable: true }) firstName!: string | null;
  @Column('text', { nullable: true }) lastName!: string | null;
  @Column('text', { nullable: true }) street!: string | null;
  @Column('text', { nullable: true }) houseNumber!: string | null;
  @Column('text', { nullable: true }) zip!: string | null;
  @Column('text', { nullable: true }) city!: string | null;
  @Column('text', { nullable: true }) addition!: string | null;
  @Column('text') countryCode!: string;
  @Column('text', { nullable: true }) vatId!: string | null;
  @Column('text', { nullable: true }) costCentre!: string | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}
