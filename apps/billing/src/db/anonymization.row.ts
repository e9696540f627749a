import type { ErasureResponse, ServiceName } from '@kontor/contracts';
import { InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a service answered last. */
export interface AnonymizationPart extends ErasureResponse {
  readonly service: ServiceName;
}

/** The anonymization of a customer, and how far the services are. */
@Entity('anonymization')
export class AnonymizationRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') customerId!: string;
  /** The tenant's time. */
  @InstantColumn() requestedAt!: Date;
  /** Real time. */
  @InstantColumn() begunAt!: Date;
  /** Times that every service has said that nothing is left. */
  @Column('int') rounds!: number;
  /** Real time. */
  @InstantColumn({ nullable: true }) completedAt!: Date | null;
  @JsonColumn() parts!: AnonymizationPart[];
}
