import { Body, Get, HttpCode, Post } from '@nestjs/common';
import type { IssuerKeys, VerifyTokenRequest, VerifyTokenResponse } from '@kontor/contracts';
import { Internal } from '@kontor/service-kit';
import { Issuers } from '../oauth/issuers.js';
import { VerifyToken } from './verify-token.js';

/** For the gateway: the principal of a token. */
@Internal('tokens')
export class TokensController {
  constructor(
    private readonly verifyToken: VerifyToken,
    private readonly issuers: Issuers,
  ) {}

  @Get('keys')
  keys(): Promise<IssuerKeys> {
    return this.issuers.keySets();
  }

  @Post('verify')
  @HttpCode(200)
  verify(@Body() body: VerifyTokenRequest): Promise<VerifyTokenResponse> {
    return this.verifyToken.execute(body.token);
  }
}
