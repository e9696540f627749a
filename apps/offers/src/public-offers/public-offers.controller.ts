import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Operation } from '@kontor/service-kit';
import { AcceptOffer } from '../acceptance/accept-offer.js';
import type { InvoiceDetails } from '../domain/offers/accept.js';
import type { Visitor } from '../recipients/audit.row.js';
import { expired, OpenOffer, type OpenedOffer } from './open-offer.js';
import { answer, wantsPage } from '../pages/layout.js';
import { ShowOffer } from './show-offer.js';
import { ChooseOptions } from './choose-options.js';
import { RenewQuote } from './renew-quote.js';
import { AcceptOfferDto, ChoiceDto, InvoiceDetailsDto, SignOfferDto } from './public-offer.dto.js';
import { PublicOfferSchema, representPublicOffer } from './represent-public-offer.js';

const open = {
  tag: 'Public offers',
  permission: null,
  response: PublicOfferSchema,
  errors: {
    404: '`not_found`: the link leads to nothing',
    409: '`offer_changed`',
    410: '`offer_expired`',
    422: '`invalid_status_transition`, `signature_required`, `already_signed`, `not_your_turn`',
  },
} as const;

type RequestHeaders = Record<string, string | undefined>;

/** From where somebody acts, as the gateway says. */
export const visitorOf = (headers: RequestHeaders): Visitor => ({
  ip: headers['x-forwarded-for']?.split(',')[0]?.trim() ?? null,
  userAgent: headers['user-agent']?.slice(0, 500) ?? null,
});

/** What recipients do with an offer; the token in the path says who it is. */
@Controller('public/offers/:token')
export class PublicOffersController {
  constructor(
    private readonly openOffer: OpenOffer,
    private readonly acceptOffer: AcceptOffer,
    private readonly showOffer: ShowOffer,
    private readonly chooseOptions: ChooseOptions,
    private readonly renewQuote: RenewQuote,
  ) {}

  @Get()
  @Operation({
    id: 'getPublicOffer',
    summary: 'An offer as its recipient sees it',
    description: 'As a page for who accepts `text/html`.',
    alternatives: { 'text/html': { type: 'string' } },
    query: { lang: { type: 'string' } },
    ...open,
  })
  async get(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers() headers: RequestHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (wantsPage(headers['accept'])) {
      const asked = { token, lang, accepted: headers['accept-language'] };
      return answer(reply, await this.showOffer.execute(asked));
    }
    const opened = await this.openOffer.execute(token);
    if (opened.expired) throw expired();
    return representPublicOffer(opened);
  }

  @Post()
  @Operation({
    id: 'submitOfferPage',
    summary: "The form of an offer's page: choose, accept, sign, or say where the invoices go",
    description: 'Leads back to the page by 303.',
    tag: 'Public pages',
    permission: null,
    responseType: 'text/html',
    rawBody: true,
    requestType: 'application/x-www-form-urlencoded',
    requestBody: {
      type: 'object',
      required: ['action'],
      properties: {
        action: { type: 'string', enum: ['choose', 'accept', 'sign', 'details'] },
        versionHash: { type: 'string' },
        consent: { type: 'string', enum: ['yes'] },
        name: { type: 'string' },
        signature: { type: 'string', enum: ['typed', 'drawn'], description: 'Default: typed.' },
        drawing: { type: 'string', description: 'PNG as a data address, of a drawn signature.' },
      },
    },
    query: { lang: { type: 'string' } },
    success: 200,
  })
  async submit(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers() headers: RequestHeaders,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const text = Buffer.isBuffer(body) && body.length <= FORM_LIMIT ? body.toString() : '';
    const asked = { token, lang, accepted: headers['accept-language'] };
    return answer(reply, await this.showOffer.submit(asked, new URLSearchParams(text), visitorOf(headers)));
  }

  @Post('choice')
  @Operation({
    id: 'choosePublicOfferOptions',
    summary: 'Tick options of an offer and change quantities',
    description:
      'Until the first signature, for all recipients. The answer has the new totals, and another `versionHash`: that is what is accepted then.',
    success: 201,
    examples: {
      request: {
        items: [
          { item: 'support', selected: true },
          { item: 'seats', quantity: '5' },
        ],
      },
    },
    ...open,
    errors: { ...open.errors, 503: '`service_unavailable`: prices cannot be computed at present' },
  })
  async choose(@Param('token') token: string, @Headers() headers: RequestHeaders, @Body() body: ChoiceDto) {
    const options = { versionHash: body.versionHash ?? null, visitor: visitorOf(headers) };
    return representPublicOffer(await this.chooseOptions.execute(token, body.items, options));
  }

  @Post('accept')
  @Operation({ id: 'acceptPublicOffer', summary: 'Accept an offer by a click', success: 201, ...open })
  async accept(@Param('token') token: string, @Headers() headers: RequestHeaders, @Body() body: AcceptOfferDto) {
    await this.renewQuote.execute(token, visitorOf(headers));
    return this.change(token, headers, body.versionHash, (tx, opened, signing) =>
      this.acceptOffer.byClick(tx, opened.offer, signing),
    );
  }

  @Post('sign')
  @Operation({
    id: 'signPublicOffer',
    summary: 'Sign an offer',
    description: 'After the last signature the offer is `signed`, or waits for the invoice details that are missing.',
    success: 201,
    ...open,
    errors: { ...open.errors, 413: 'The body is larger than 256 KiB.' },
  })
  async sign(@Param('token') token: string, @Headers() headers: RequestHeaders, @Body() body: SignOfferDto) {
    await this.renewQuote.execute(token, visitorOf(headers));
    const signature = { name: body.name.trim(), type: body.signature.type, data: body.signature.data };
    return this.change(token, headers, body.versionHash, (tx, opened, signing) =>
      this.acceptOffer.bySignature(tx, opened.offer, signing, signature),
    );
  }

  @Post('invoice-details')
  @Operation({
    id: 'givePublicOfferInvoiceDetails',
    summary: 'Say where the invoices of a signed offer go',
    description:
      'Where that makes another tax than the offer shows, the answer is 409 `offer_changed`: it shows that tax from then on, and the same request accepts it.',
    success: 201,
    ...open,
  })
  async details(@Param('token') token: string, @Headers() headers: RequestHeaders, @Body() body: InvoiceDetailsDto) {
    const { customer } = await this.openOffer.execute(token);
    const details = detailsOf(body, customer?.countryCode ?? 'DE');
    const compared = await this.renewQuote.execute(token, visitorOf(headers), details);
    return this.change(token, headers, compared, (tx, opened, signing) =>
      this.acceptOffer.withDetails(tx, opened.offer, signing, details),
    );
  }

  private async change(
    token: string,
    headers: RequestHeaders,
    versionHash: string | null | undefined,
    act: (
      tx: Parameters<AcceptOffer['byClick']>[0],
      opened: OpenedOffer,
      signing: Parameters<AcceptOffer['byClick']>[2],
    ) => Promise<void>,
  ) {
    const visitor = visitorOf(headers);
    const changed = await this.openOffer.change(token, (tx, opened) =>
      act(tx, opened, { recipient: opened.recipient, visitor, versionHash: versionHash ?? null }),
    );
    return representPublicOffer(changed);
  }
}

/** With a drawing whose letters are written by percent signs. */
const FORM_LIMIT = 300_000;

const detailsOf = (body: InvoiceDetailsDto, countryCode: string): InvoiceDetails => ({
  companyName: body.companyName ?? null,
  firstName: body.firstName ?? null,
  lastName: body.lastName ?? null,
  street: body.street.trim(),
  houseNumber: body.houseNumber ?? null,
  zip: body.zip.trim(),
  city: body.city.trim(),
  addition: body.addition ?? null,
  countryCode: body.countryCode ?? countryCode,
  vatId: body.vatId ?? null,
  poNumber: body.poNumber ?? null,
  leitwegId: body.leitwegId ?? null,
});
