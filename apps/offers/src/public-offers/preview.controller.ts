import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { answer } from '../pages/layout.js';
import { PreviewOffer } from './preview-offer.js';

/** For those who write an offer, and who have to approve it. */
@Controller('offers/:id')
export class OfferPreviewController {
  constructor(private readonly preview: PreviewOffer) {}

  @Get('preview')
  @Operation({
    id: 'previewOffer',
    summary: 'The page that recipients would see if the offer were published now',
    description: 'With its changes, at the prices of today. Nothing is held, and nothing can be decided on it.',
    tag: 'Offers',
    permission: 'offer:read',
    responseType: 'text/html',
    query: { lang: { type: 'string' } },
    errors: {
      422: '`invalid_status_transition` unless it is open, `template_invalid`, and what publishing would refuse of what it sells',
      503: '`service_unavailable`: prices cannot be computed at present',
    },
  })
  async show(
    @Caller() caller: Principal,
    @IdParam('id', { format: 'ulid' }) id: string,
    @Query('lang') lang: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answer(reply, await this.preview.execute(caller.tenantId, id, lang));
  }
}
