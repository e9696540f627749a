import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Units of a currency per euro on a day. */
@Entity('exchange_rate')
export class ExchangeRateRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('text') currencyCode!: string;
  /** `YYYY-MM-DD`. */
  @PrimaryColumn('text') date!: string;
  /** Decimal text. */
  @Column('text') rate!: string;
}

export const exchangeRateTable = rowTable(ExchangeRateRow);

/** One row per tenant once its rates were set up: a sandbox gets the example set a single time. */
@Entity('exchange_rate_source')
export class ExchangeRateSourceRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @InstantColumn({ nullable: true }) fetchedAt!: Date | null;
}

export const exchangeRateSourceTable = rowTable(ExchangeRateSourceRow);
