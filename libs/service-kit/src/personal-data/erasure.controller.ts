import { Body, Get, HttpCode, Post } from '@nestjs/common';
import type { CustomerErasureRequest, ErasureObstaclesResponse, ErasureResponse, Principal } from '@kontor/contracts';
import { Caller, IdParam } from '../http/route-params.js';
import { Internal } from '../internal/internal.js';
import { EraseCustomer } from './erase-customer.js';

/** For billing: a customer is anonymized. */
@Internal('customers')
export class ErasureController {
  constructor(private readonly eraseCustomer: EraseCustomer) {}

  @Get(':id/obstacles')
  obstacles(@Caller() { tenantId }: Principal, @IdParam() id: string): Promise<ErasureObstaclesResponse> {
    return this.eraseCustomer.obstacles({ tenantId, customerId: id });
  }

  @Post(':id/erasure')
  @HttpCode(200)
  erase(
    @Caller() { tenantId }: Principal,
    @IdParam() id: string,
    @Body() { version }: CustomerErasureRequest,
  ): Promise<ErasureResponse> {
    return this.eraseCustomer.erase({ tenantId, customerId: id }, version);
  }
}
