import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ApiKey } from '../domain/api-key.js';

@Entity('api_key')
export class ApiKeyRow implements ApiKey {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @JsonColumn() permissions!: string[];
  @Column('bytea') digest!: Buffer;
  @JsonColumn({ nullable: true }) allowedIps!: string[] | null;
  @InstantColumn({ nullable: true }) lastUsedAt!: Date | null;
  @InstantColumn({ nullable: true }) expiresAt!: Date | null;
  @Column('uuid', { nullable: true }) replacedBy!: string | null;
  @InstantColumn() createdAt!: Date;
}

export const apiKeys = rowTable(ApiKeyRow);
