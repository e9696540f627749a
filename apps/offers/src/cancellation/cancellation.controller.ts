import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { Operation } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { sendPage } from '../pages/layout.js';
import { ShowCancellation } from './show-cancellation.js';

const open = {
  tag: 'Public pages',
  permission: null,
  responseType: 'text/html',
  query: { lang: { type: 'string' } },
} as const;
const FORM_LIMIT = 20_000;

/** The cancellation button (§ 312k BGB): nobody has to log in, and nothing says who is a customer. */
@Controller('public/cancellation/:tenant')
export class CancellationController {
  constructor(private readonly show: ShowCancellation) {}

  @Get()
  @Operation({
    id: 'showCancellation',
    summary: 'The page on which a contract is cancelled',
    description: 'Linked below every page for buyers. `tenant` is the id of the seller.',
    ...open,
  })
  async page(
    @Param('tenant') tenant: string,
    @Query('lang') lang: string | undefined,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const shown = await this.show.execute({ id: tenant, lang, accepted });
    return sendPage(reply, shown);
  }

  @Post()
  @Operation({
    id: 'submitCancellation',
    summary: 'Check a cancellation, or declare it',
    description:
      'Two steps: `check` shows what was entered, `cancel` declares it. The answer is the same for everybody, and is mailed with its ' +
      'time to the address that was entered.',
    ...open,
    rawBody: true,
    requestType: 'application/x-www-form-urlencoded',
    requestBody: {
      type: 'object',
      required: ['action'],
      properties: {
        action: { type: 'string', enum: ['check', 'change', 'cancel'], description: 'Which button was pressed.' },
        key: { type: 'string', format: 'uuid', description: 'Of the form: it counts once.' },
        name: { type: 'string', description: 'Who cancels.' },
        email: { type: 'string', description: 'Where the confirmation goes.' },
        contract: { type: 'string', description: 'Number of the contract, or what it is about.' },
        kind: { type: 'string', enum: ['ordinary', 'extraordinary'], description: 'Kind of the notice.' },
        reason: { type: 'string', description: 'Needed for an extraordinary notice.' },
        wantedOn: { type: 'string', description: 'The day; empty: as early as possible.' },
      },
    },
    success: 200,
  })
  async submit(
    @Param('tenant') tenant: string,
    @Query('lang') lang: string | undefined,
    @Headers('accept-language') accepted: string | undefined,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const text = Buffer.isBuffer(body) && body.length <= FORM_LIMIT ? body.toString() : '';
    const shown = await this.show.submit({ id: tenant, lang, accepted }, new URLSearchParams(text));
    return sendPage(reply, shown);
  }
}
