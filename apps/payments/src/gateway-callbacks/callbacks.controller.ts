import { Operation } from '@kontor/service-kit';
import { Controller, Param, Post, Req } from '@nestjs/common';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { ReceiveCallback } from './receive-callback.js';

const RECEIVED = Type.Object({
  received: Type.Integer({ description: 'How many events are new and about something here.' }),
});

/** Where payment providers report what happened. */
@Controller('public/payment/callbacks')
export class CallbacksController {
  constructor(private readonly receive: ReceiveCallback) {}

  @Post(':gateway')
  @Operation({
    id: 'receivePaymentCallback',
    summary: 'Receive a call-back of a payment provider',
    description:
      "For the providers themselves: card_provider (Stripe's webhooks), online_wallet_provider (PayPal's), " +
      "debit_provider (GoCardless's). The signature is checked over the raw body; events that are known or mean " +
      'nothing here are taken and ignored.',
    tag: 'Payments',
    permission: null,
    success: 200,
    rawBody: true,
    requestBody: { type: 'object', additionalProperties: true },
    examples: { request: { id: 'evt_1', type: 'payment_intent.succeeded' } },
    response: RECEIVED,
    errors: { 400: 'The signature is missing, wrong or too old' },
  })
  receiveCallback(@Param('gateway') gateway: string, @Req() request: FastifyRequest) {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    return this.receive.execute(gateway, { headers: request.headers, body, receivedAt: new Date() });
  }
}
