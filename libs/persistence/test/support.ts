import { newUuid } from '@kontor/kernel';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  BigintColumn,
  InstantColumn,
  JsonColumn,
  lookupFunction,
  type Migration,
  rowTable,
  tenantTable,
} from '../src/index.js';

@Entity('note')
export class NoteRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') title!: string;
  @BigintColumn() priceAmount!: bigint;
  @InstantColumn() createdAt!: Date;
  @JsonColumn({ nullable: true }) extra!: unknown;
}

export const notes = rowTable(NoteRow);

export const noteMigrations: Migration[] = [
  {
    name: '0001_notes',
    sql: `
      CREATE TABLE note (
        tenant_id uuid NOT NULL, id uuid NOT NULL, title text NOT NULL, price_amount bigint NOT NULL,
        created_at timestamptz NOT NULL, extra jsonb, PRIMARY KEY (tenant_id, id));
      ${tenantTable('note')}
      ${lookupFunction({
        name: 'note_by_title',
        parameters: 'wanted text',
        table: 'note',
        columns: ['tenant_id', 'id', 'title'],
        returns: 'tenant_id uuid, id uuid',
        body: 'SELECT n.tenant_id, n.id FROM note n WHERE n.title = wanted',
      })}`,
  },
];

export const aNote = (
  tenantId: string,
  title = 'a note',
  createdAt = new Date('2026-01-01T00:00:00.123Z'),
): NoteRow => ({
  tenantId,
  id: newUuid(),
  title,
  priceAmount: 9_007_199_254_740_993n,
  createdAt,
  extra: { a: [1] },
});
