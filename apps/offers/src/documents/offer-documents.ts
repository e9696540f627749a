import type { CustomerState, PaperRequest, TenantState } from '@kontor/contracts';
import { invariant, newUlid, notFound } from '@kontor/kernel';
import { BlobStore, Database, Replicas, type TenantTx } from '@kontor/persistence';
import { InternalClient, keepFilesInMind, OutcomeUnknown, ServiceUnavailable, storeForRow } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { unavailable } from '../domain/unavailable.js';
import { agreedHash } from '../domain/offers/offer.js';
import { lockOffer } from '../offers/offer.read.js';
import { offers } from '../offers/offer.row.js';
import { audits, isForBuyers } from '../recipients/audit.row.js';
import { recipients } from '../recipients/recipient.row.js';
import { type DocumentKind, documents, type OfferDocumentRow } from '../files/offer-document.row.js';
import { type PaperSources, writePaper } from './write-paper.js';

export interface OfferFile {
  readonly row: OfferDocumentRow;
  readonly bytes: Buffer;
}

type NewFile = Pick<OfferDocumentRow, 'kind' | 'versionHash' | 'fileName'> & { readonly bytes: Buffer };

/** The files of offers: written once by invoicing in the design of its documents, and kept by the digest of their bytes. */
@Injectable()
export class OfferDocuments {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly internal: InternalClient,
    private readonly blobs: BlobStore,
  ) {}

  /** The file of the offer as it is agreed to now; written if nobody has asked for it. @throws DomainError `not_found`, 503 `service_unavailable` */
  async execute(tenantId: string, offerId: string, kind: DocumentKind): Promise<OfferFile> {
    const { sources, known } = await this.database.tenant(tenantId, (tx) => this.load(tx, offerId, kind), {
      readOnly: true,
    });
    if (known) return { row: known, bytes: await this.blobs.get(known.sha256) };
    const { status, published } = sources.offer;
    const exists = kind === 'offer' ? published !== null : status === 'signed';
    if (kind === 'purchase_order' || !exists) throw notFound('The document');
    return this.keep(tenantId, offerId, {
      kind,
      versionHash: agreedHash(sources.offer) ?? '',
      fileName: `${sources.offer.number}${kind === 'offer' ? '' : `-${kind.replace('_', '-')}`}.pdf`,
      bytes: await this.render(tenantId, writePaper(kind, sources)),
    });
  }

  /** Stores a file; of two at the same time the first stays. */
  async keep(tenantId: string, offerId: string, file: NewFile): Promise<OfferFile> {
    const { row, isOurs } = await this.store(file.bytes, (sha256) =>
      this.database.tenant(tenantId, async (tx) => {
        await lockOffer(tx, offerId);
        const row = await this.add(tx, offerId, file, sha256);
        return { row, isOurs: row.sha256 === sha256 };
      }),
    );
    return { row, bytes: isOurs ? file.bytes : await this.blobs.get(row.sha256) };
  }

  /** Puts bytes where a row can name them by their digest, which `writeRow` writes: refused, they are removed. */
  store<Row>(bytes: Buffer, writeRow: (sha256: string) => Promise<Row>): Promise<Row> {
    return storeForRow(this.database, this.blobs, bytes, writeRow);
  }

  /** The row of a file whose bytes are stored, or of the one that was first; the offer is locked by the caller. */
  async add(tx: TenantTx, offerId: string, file: NewFile, sha256: string): Promise<OfferDocumentRow> {
    const { kind, versionHash, fileName, bytes } = file;
    const first = await documents.findOne(tx, { offerId, kind, versionHash });
    if (first) {
      if (first.sha256 !== sha256) await keepFilesInMind(tx, [{ file: sha256 }]);
      return first;
    }
    const id = newUlid();
    const named = { id, offerId, kind, versionHash, fileName, sha256, sizeBytes: bytes.length, createdAt: tx.now };
    await documents.insert(tx, named);
    return documents.findOneOrFail(tx, { id });
  }

  private async render(tenantId: string, request: PaperRequest): Promise<Buffer> {
    try {
      const options = { tenantId, timeoutMs: 20_000 };
      const { pdf } = await this.internal.call<{ pdf: string }>(
        'invoicing',
        'POST',
        '/internal/papers',
        request,
        options,
      );
      return Buffer.from(pdf, 'base64');
    } catch (error) {
      if (error instanceof ServiceUnavailable || error instanceof OutcomeUnknown) throw unavailable();
      throw error;
    }
  }

  private async load(tx: TenantTx, offerId: string, kind: DocumentKind) {
    const offer = await offers.get(tx, offerId);
    if (!offer) throw notFound('The offer');
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    invariant(tenant, 'the tenant of a transaction exists');
    const sources: PaperSources = {
      offer,
      customer: await this.replicas.get<CustomerState>(tx, 'customer', offer.customerId),
      recipients: await recipients.find(tx, { offerId }),
      log: (await audits.find(tx, { offerId }, { orderBy: { id: 'asc' }, limit: 1000 })).filter(isForBuyers),
      timeZone: tenant.timeZone,
    };
    const match = kind === 'offer' ? { versionHash: agreedHash(offer) ?? '' } : {};
    const [known] = await documents.find(tx, { offerId, kind, ...match }, { orderBy: { id: 'desc' }, limit: 1 });
    return { sources, known: known ?? null };
  }
}
