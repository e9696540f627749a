import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { invalidTransition, notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Type } from '@sinclair/typebox';
import { OfferSchema, RecipientSchema } from '../offers/offer.schema.js';
import { text } from '../schema.js';
import { lockOffer, ReadOffers } from '../offers/offer.read.js';
import type { OfferRow } from '../offers/offer.row.js';
import { representRecipient } from '../offers/represent-offer.js';
import { AddRecipients } from '../recipients/add-recipients.js';
import { audits } from '../recipients/audit.row.js';
import { RecipientDto } from '../recipients/recipient.dto.js';
import { type RecipientRow, recipients } from '../recipients/recipient.row.js';
import { SendLinks } from '../recipients/send-links.js';
import { RecipientLinks } from '../recipients/tokens.js';
import { AcceptOffer } from './accept-offer.js';

const ULID = { format: 'ulid' } as const;
const tag = 'Offers';
const write = { tag, permission: 'offer:write', response: OfferSchema } as const;

const AuditSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        at: Type.String({ format: 'date-time' }),
        action: Type.String(),
        email: text(),
        name: text(),
        ip: text(),
        userAgent: text(),
        versionHash: text(),
        details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
      }),
    ),
  },
  { $id: 'OfferAuditLog' },
);

/** Who may read and sign an offer, and what staff does about its acceptance. */
@Controller('offers/:id')
export class AcceptanceController {
  constructor(
    private readonly database: Database,
    private readonly readOffers: ReadOffers,
    private readonly acceptOffer: AcceptOffer,
    private readonly addRecipients: AddRecipients,
    private readonly links: RecipientLinks,
    private readonly sendLinks: SendLinks,
  ) {}

  @Post('recipients')
  @Operation({
    id: 'addOfferRecipient',
    summary: 'Give somebody a link to an offer',
    description:
      'Who has the `link` reads the offer, and signs it with the role `sign`; it is shown in this answer only.',
    success: 201,
    tag,
    permission: 'offer:write',
    response: RecipientSchema,
    shownOnce: ['link'],
    examples: {
      request: { email: 'einkauf@backhaus-elbe.example', firstName: 'Jule', lastName: 'Brandt', role: 'sign' },
    },
    errors: { 422: '`already_exists`, `too_many_recipients`, `invalid_status_transition`' },
  })
  add(@Caller() caller: Principal, @IdParam('id', ULID) id: string, @Body() body: RecipientDto) {
    return this.database.tenant(caller.tenantId, async (tx) => {
      const offer = await lockOffer(tx, id);
      if (offer.status !== 'open' && offer.status !== 'signing')
        throw invalidTransition('offer', offer.status, 'recipients');
      const [added] = await this.addRecipients.execute(tx, id, [body]);
      await this.sendLinks.execute(tx, offer);
      return representRecipient(added!, this.links.linkOf(added!));
    });
  }

  @Delete('recipients/:recipient')
  @HttpCode(204)
  @Operation({
    id: 'removeOfferRecipient',
    summary: 'Take a link back',
    description:
      'One who has signed stays until the signing is cancelled, and so does the last of the others: nobody could complete it.',
    success: 204,
    tag,
    permission: 'offer:write',
    errors: { 422: '`invalid_status_transition`' },
  })
  remove(
    @Caller() caller: Principal,
    @IdParam('id', ULID) id: string,
    @IdParam('recipient') recipientId: string,
  ): Promise<void> {
    return this.database.tenant(caller.tenantId, async (tx) => {
      const offer = await lockOffer(tx, id);
      const recipient = await recipients.get(tx, recipientId);
      if (recipient?.offerId !== id) throw notFound('The recipient');
      if (recipient.signedAt) throw invalidTransition('offer', offer.status, 'remove a signer who has signed');
      if (offer.status === 'signing' && (await isLastToSign(tx, recipient)))
        throw invalidTransition('offer', offer.status, 'remove the last signer who has not signed');
      await recipients.delete(tx, { id: recipientId });
    });
  }

  @Post('accept')
  @Operation({
    id: 'acceptOffer',
    summary: 'Record that an offer was accepted: on paper or by telephone',
    description:
      'In every acceptance mode. Accepting an offer whose `sale` has failed tries the sale again; the acceptance stays.',
    success: 201,
    errors: { 410: '`offer_expired`', 422: '`invalid_status_transition`' },
    ...write,
  })
  accept(@Caller() caller: Principal, @IdParam('id', ULID) id: string) {
    return this.change(caller, id, (tx, offer) => this.acceptOffer.byStaff(tx, offer));
  }

  @Post('cancel-signing')
  @Operation({
    id: 'cancelOfferSigning',
    summary: 'Open an offer again that is being signed',
    description: 'Signatures that were given count no more; the audit log keeps them.',
    success: 201,
    errors: { 422: '`invalid_status_transition`' },
    ...write,
  })
  cancelSigning(@Caller() caller: Principal, @IdParam('id', ULID) id: string) {
    return this.change(caller, id, (tx, offer) => this.acceptOffer.cancel(tx, offer));
  }

  @Get('audit-log')
  @Operation({
    id: 'getOfferAuditLog',
    summary: 'Who accepted and signed what, when and from where, oldest first',
    tag,
    permission: 'offer:read',
    response: AuditSchema,
  })
  log(@Caller() caller: Principal, @IdParam('id', ULID) id: string) {
    return this.database.tenant(
      caller.tenantId,
      async (tx) => {
        await this.readOffers.byId(tx, id);
        const entries = await audits.find(tx, { offerId: id }, { orderBy: { id: 'asc' }, limit: 1000 });
        return {
          data: entries.map(({ tenantId: _, offerId: __, at, ...entry }) => ({ ...entry, at: at.toISOString() })),
        };
      },
      { readOnly: true },
    );
  }

  private change(
    caller: Principal,
    id: string,
    act: (tx: Parameters<typeof lockOffer>[0], offer: OfferRow) => Promise<void>,
  ) {
    return this.database.tenant(caller.tenantId, async (tx) => {
      const offer = await lockOffer(tx, id);
      await act(tx, offer);
      return this.readOffers.shown(tx, offer);
    });
  }
}

/** Whether nobody else is to sign any more. */
async function isLastToSign(tx: TenantTx, { id, offerId, role }: RecipientRow): Promise<boolean> {
  const signers = await recipients.find(tx, { offerId, role: 'sign' });
  return role === 'sign' && !signers.some((signer) => signer.id !== id && signer.signedAt === null);
}
