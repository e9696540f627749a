import { InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The tenant's billing settings: only what differs from the defaults is stored. One row per tenant, which also marks it
 * as set up.
 */
@Entity('billing_settings')
export class BillingSettingsRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @Column('int') version!: number;
  @JsonColumn() values!: Record<string, unknown>;
  @InstantColumn() updatedAt!: Date;
}

export type CustomFieldObject = 'customer' | 'subscription' | 'invoice' | 'product';
export type CustomFieldType = 'text' | 'number' | 'boolean' | 'date' | 'select';

/** One key that `customFields` of an object may carry, and what its value must look like. */
@Entity('custom_field')
export class CustomFieldRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') object!: CustomFieldObject;
  @Column('text') key!: string;
  @Column('text') name!: string;
  @Column('text') type!: CustomFieldType;
  @JsonColumn() options!: string[];
  @Column('boolean') required!: boolean;
  @InstantColumn() createdAt!: Date;
}
