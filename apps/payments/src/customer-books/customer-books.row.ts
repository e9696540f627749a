import { Entity, PrimaryColumn } from 'typeorm';

/** Locked while the money of a customer is decided about. */
@Entity('customer_books')
export class CustomerBooksRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly customerId!: string;
}
