import { rowTable } from '@kontor/persistence';
import { Entity, PrimaryColumn } from 'typeorm';

/** How document numbers of the tenant look. */
@Entity('document_shape')
export class DocumentShapeRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('text') readonly shape!: string;
}

export const documentShapes = rowTable(DocumentShapeRow);
