import { rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who paid for whom before, and what customers are called. */
@Entity('bank_payer')
export class BankPayerRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('text') readonly kind!: 'iban' | 'name' | 'customer';
  @PrimaryColumn('text') readonly value!: string;
  @PrimaryColumn('uuid') readonly customerId!: string;
  /** By which merge of customers it came to be the customer's. */
  @Column('uuid', { nullable: true }) readonly mergeId?: string | null;
}

export const bankPayers = rowTable(BankPayerRow);
