import { Body, HttpCode, Post } from '@nestjs/common';
import type { VerifyTokenRequest, VerifyTokenResponse } from '@kontor/contracts';
import { Internal } from '@kontor/service-kit';
import { VerifyToken } from './verify-token.js';

/** For the gateway: the principal of a token. */
@Internal('tokens')
export class TokensController {
  constructor(private readonly verifyToken: VerifyToken) {}

  @Post('verify')
  @HttpCode(200)
  verify(@Body() body: VerifyTokenRequest): Promise<VerifyTokenResponse> {
    return this.verifyToken.execute(body.token);
  }
}
