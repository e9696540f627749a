import { rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Subject and body of a kind of mail, as the tenant wrote them. */
@Entity('mail_template')
export class MailTemplateRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** `invoice`, `reminder`, …: as in `/templates/mail.<kind>`. */
  @PrimaryColumn('text') kind!: string;
  @PrimaryColumn('text') language!: string;
  @Column('text') subject!: string;
  @Column('text') body!: string;
  @Column('int') version!: number;
}

export const mailTemplates = rowTable(MailTemplateRow);
