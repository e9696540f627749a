import { type Static, Type } from '@sinclair/typebox';
import type { OfferDocumentRow } from './offer-document.row.js';

/** A file as media are shown. */
export const OfferFileSchema = Type.Object(
  {
    id: Type.String({ description: 'ULID.' }),
    isPrivate: Type.Boolean(),
    mimeType: Type.String(),
    fileExtension: Type.String(),
    fileName: Type.String(),
    storageFileName: Type.String({ description: 'SHA-256 of its bytes, which never change.' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'OfferFile' },
);
export type OfferFileJson = Static<typeof OfferFileSchema>;

export const representFile = (row: OfferDocumentRow): OfferFileJson => ({
  id: row.id,
  isPrivate: true,
  mimeType: 'application/pdf',
  fileExtension: 'pdf',
  fileName: row.fileName,
  storageFileName: row.sha256,
  createdAt: row.createdAt.toISOString(),
});
