import { Body, Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { ApproveOffer } from './approve-offer.js';
import { ApprovalDto, RejectionDto } from './offer.dto.js';
import { OfferSchema } from './offer.schema.js';

const ULID = { format: 'ulid' } as const;
const write = { tag: 'Offers', permission: 'offer:write', response: OfferSchema, success: 201 } as const;
const decides = {
  ...write,
  errors: { 403: '`not_an_approver`', 422: '`approval_not_requested`, `invalid_status_transition`' },
} as const;

/** Approval of an offer before it is published. */
@Controller('offers/:id')
export class ApprovalController {
  constructor(private readonly approveOffer: ApproveOffer) {}

  @Post('request-approval')
  @Operation({
    id: 'requestOfferApproval',
    summary: 'Ask those who have to approve an offer',
    description:
      'The users of the settings and those of the offer. A change of the offer, or of a price that it sells, makes their answers void: ask again.',
    errors: {
      409: '`request_in_progress`: the offer was changed meanwhile',
      422: '`no_approvers`, `unknown_reference`, `invalid_status_transition`; what billing refuses to sell',
    },
    ...write,
  })
  request(@Caller() caller: Principal, @IdParam('id', ULID) id: string) {
    return this.approveOffer.request(caller, id);
  }

  @Post('approve')
  @Operation({
    id: 'approveOffer',
    summary: 'Approve an offer, as one who was asked',
    description: 'The caller is signed in as that user. When all have approved, the offer can be published.',
    examples: { request: { comment: 'The discount is fine.' } },
    ...decides,
  })
  approve(@Caller() caller: Principal, @IdParam('id', ULID) id: string, @Body() { comment }: ApprovalDto) {
    return this.approveOffer.decide(caller, id, { decision: 'approved', comment: comment ?? null });
  }

  @Post('reject')
  @Operation({
    id: 'rejectOffer',
    summary: 'Refuse to approve an offer, as one who was asked',
    description: 'It can be changed, and approval asked for again.',
    examples: { request: { comment: 'Ten percent is too much.' } },
    ...decides,
  })
  reject(@Caller() caller: Principal, @IdParam('id', ULID) id: string, @Body() { comment }: RejectionDto) {
    return this.approveOffer.decide(caller, id, { decision: 'rejected', comment });
  }
}
