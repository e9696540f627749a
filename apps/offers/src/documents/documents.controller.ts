import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { DomainError, invalidTransition, notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { AcceptOffer } from '../acceptance/accept-offer.js';
import { lockOffer, ReadOffers } from '../offers/offer.read.js';
import { OfferSchema } from '../offers/offer.schema.js';
import { expired, OpenOffer } from '../public-offers/open-offer.js';
import { type DocumentKind } from '../files/offer-document.row.js';
import { type OfferFile, OfferDocuments } from './offer-documents.js';

const PDF = 'application/pdf';
const ULID = { format: 'ulid' } as const;
const download = { success: 200, responseType: PDF, errors: { 503: '`service_unavailable`' } } as const;
const upload = {
  success: 201,
  rawBody: true,
  requestType: PDF,
  requestBody: { type: 'string', contentMediaType: PDF, maxLength: 5 * 1024 * 1024 },
  examples: { request: '%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\n%%EOF\n' },
  response: OfferSchema,
} as const;
const KINDS: Readonly<Record<string, DocumentKind>> = {
  offer: 'offer',
  signed: 'signed',
  'audit-log': 'audit_log',
  'purchase-order': 'purchase_order',
};

const send = (reply: FastifyReply, { row, bytes }: OfferFile): FastifyReply =>
  reply
    .header('content-type', PDF)
    .header('content-disposition', `inline; filename="${row.fileName}"`)
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .send(bytes);

/** @throws DomainError `invalid_pdf` */
function pdfOf(body: unknown): Buffer {
  const isPdf =
    Buffer.isBuffer(body) &&
    /^%PDF-[12]\.\d/.test(body.subarray(0, 8).toString('latin1')) &&
    body.subarray(-1024).includes('%%EOF');
  if (!isPdf) throw new DomainError('invalid_pdf', { detail: 'The body is no PDF file.' });
  return body;
}

/** The files of an offer. */
@Controller('offers/:id')
export class OfferDocumentsController {
  constructor(
    private readonly database: Database,
    private readonly documents: OfferDocuments,
    private readonly readOffers: ReadOffers,
    private readonly acceptOffer: AcceptOffer,
  ) {}

  @Get('documents/:kind')
  @Operation({
    id: 'getOfferDocument',
    summary: 'A document of an offer as PDF: offer, signed, audit-log, purchase-order',
    description:
      'The offer since it was published, the signed offer and the audit log since it was signed. A file never changes.',
    tag: 'Offers',
    permission: 'offer:read',
    ...download,
  })
  async get(
    @Caller() caller: Principal,
    @IdParam('id', ULID) id: string,
    @Param('kind') kind: string,
    @Res() reply: FastifyReply,
  ) {
    const known = KINDS[kind];
    if (!known) throw notFound('The document');
    await send(reply, await this.documents.execute(caller.tenantId, id, known));
  }

  @Post('signed-document')
  @Operation({
    id: 'uploadSignedOffer',
    summary: 'Accept an offer by the PDF that was signed by hand',
    description: 'The offer is `signed` by that, as with `accept`; the file is its `signedDocument`.',
    tag: 'Offers',
    permission: 'offer:write',
    errors: { 410: '`offer_expired`', 422: '`invalid_pdf`, `invalid_status_transition`' },
    ...upload,
  })
  async signed(@Caller() { tenantId }: Principal, @IdParam('id', ULID) id: string, @Body() body: unknown) {
    const bytes = pdfOf(body);
    return this.documents.store(bytes, (sha256) =>
      this.database.tenant(tenantId, async (tx) => {
        const offer = await lockOffer(tx, id);
        if (offer.status === 'signed') throw invalidTransition('offer', offer.status, 'upload the signed offer');
        await this.acceptOffer.byStaff(tx, offer);
        const fileName = `${offer.number}-signed.pdf`;
        await this.documents.add(tx, id, { kind: 'signed', versionHash: '', fileName, bytes }, sha256);
        return this.readOffers.shown(tx, offer);
      }),
    );
  }

  @Post('purchase-order')
  @Operation({
    id: 'uploadOfferPurchaseOrder',
    summary: "Keep the customer's purchase order with an offer",
    description: 'Once; it cannot be changed.',
    tag: 'Offers',
    permission: 'offer:write',
    // The file is stored between two transactions.
    resumes: true,
    errors: { 422: '`invalid_pdf`, `already_exists`' },
    ...upload,
  })
  async purchaseOrder(@Caller() { tenantId }: Principal, @IdParam('id', ULID) id: string, @Body() body: unknown) {
    const bytes = pdfOf(body);
    await this.database.tenant(tenantId, (tx) => lockOffer(tx, id));
    const kept = await this.documents.keep(tenantId, id, {
      kind: 'purchase_order',
      versionHash: '',
      fileName: 'purchase-order.pdf',
      bytes,
    });
    if (!kept.bytes.equals(bytes))
      throw new DomainError('already_exists', { detail: 'The offer has another purchase order already.' });
    return this.database.tenant(tenantId, (tx) => this.readOffers.byId(tx, id));
  }
}

/** What recipients can keep. */
@Controller('public/offers/:token')
export class PublicDocumentsController {
  constructor(
    private readonly openOffer: OpenOffer,
    private readonly documents: OfferDocuments,
  ) {}

  @Get('document')
  @Operation({
    id: 'getPublicOfferDocument',
    summary: 'The offer as PDF, signed once it is',
    tag: 'Public offers',
    permission: null,
    ...download,
    errors: { ...download.errors, 404: '`not_found`', 410: '`offer_expired`' },
  })
  async get(@Param('token') token: string, @Res() reply: FastifyReply) {
    const opened = await this.openOffer.execute(token);
    if (opened.expired) throw expired();
    const { tenantId, id, status } = opened.offer;
    await send(reply, await this.documents.execute(tenantId, id, status === 'signed' ? 'signed' : 'offer'));
  }
}
