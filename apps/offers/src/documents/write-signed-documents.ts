import { completeDue, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { OFFER_DOCUMENTS } from '../offers/save-offer.js';
import { OfferDocuments } from './offer-documents.js';

/** The signed offer and its audit log are written when it is signed, as often as it takes. */
@Injectable()
@DueHandler({ kind: OFFER_DOCUMENTS, batchSize: 20 })
export class WriteSignedDocuments {
  constructor(
    private readonly database: Database,
    private readonly documents: OfferDocuments,
  ) {}

  async handle({ tenantId, items }: DueBatch): Promise<void> {
    for (const item of items) {
      for (const kind of ['signed', 'audit_log'] as const) await this.documents.execute(tenantId, item.ref, kind);
      await this.database.tenant(tenantId, (tx) => completeDue(tx, OFFER_DOCUMENTS, item));
    }
  }
}
