import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Locked while the money of a customer is decided about. */
@Entity('customer_books')
export class CustomerBooksRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly customerId!: string;
  /** Whose books these are now; nobody opens closed ones. */
  @Column('uuid', { nullable: true }) readonly mergedInto!: string | null;
}
