import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { Operation } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { answer } from '../pages/layout.js';
import { ShowCart } from './show-cart.js';
import { ShowLink } from './show-link.js';

const open = {
  tag: 'Public pages',
  permission: null,
  responseType: 'text/html',
  query: { lang: { type: 'string' } },
  errors: { 410: 'A page: what the link sold was archived, or the cart has expired.' },
} as const;
const form = {
  rawBody: true,
  requestType: 'application/x-www-form-urlencoded',
  success: 200,
} as const;
const FORM_LIMIT = 20_000;

type RequestHeaders = Record<string, string | undefined>;

/** The pages on which people buy: they work without scripts, and load nothing from elsewhere. */
@Controller('public/checkout')
export class CheckoutPagesController {
  constructor(
    private readonly showLink: ShowLink,
    private readonly showCart: ShowCart,
  ) {}

  @Get('links/:id/:slug')
  @Operation({ id: 'showCheckoutLink', summary: 'The page of a checkout link', ...open })
  async link(
    @Param('id') id: string,
    @Query('lang') lang: string | undefined,
    @Headers() headers: RequestHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answer(reply, await this.showLink.execute({ id, lang, accepted: headers['accept-language'] }));
  }

  @Post('links/:id/:slug')
  @Operation({
    id: 'beginCheckout',
    summary: 'Begin a cart by the page of a checkout link',
    description: 'Leads to the page of the new cart by 303.',
    ...open,
    ...form,
  })
  async begin(
    @Param('id') id: string,
    @Query('lang') lang: string | undefined,
    @Headers() headers: RequestHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answer(reply, await this.showLink.begin({ id, lang, accepted: headers['accept-language'] }));
  }

  @Get('carts/:id')
  @Operation({ id: 'showCart', summary: 'The page of a cart', ...open })
  async cart(
    @Param('id') id: string,
    @Query('lang') lang: string | undefined,
    @Headers() headers: RequestHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answer(reply, await this.showCart.execute({ id, lang, accepted: headers['accept-language'] }));
  }

  @Post('carts/:id')
  @Operation({
    id: 'submitCart',
    summary: "The form of a cart's page: compute the price again, or order",
    description: 'An order leads on by 303: to the provider, to the page after the order, or back to the page.',
    ...open,
    ...form,
    requestBody: {
      type: 'object',
      required: ['action'],
      properties: { action: { type: 'string', enum: ['update', 'order'] } },
    },
  })
  async submit(
    @Param('id') id: string,
    @Query('lang') lang: string | undefined,
    @Headers() headers: RequestHeaders,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const text = Buffer.isBuffer(body) && body.length <= FORM_LIMIT ? body.toString() : '';
    const asked = { id, lang, accepted: headers['accept-language'] };
    const orderer = {
      ip: headers['x-forwarded-for']?.split(',')[0]?.trim() ?? null,
      userAgent: headers['user-agent'] ?? null,
    };
    return answer(reply, await this.showCart.submit(asked, new URLSearchParams(text), orderer));
  }
}
