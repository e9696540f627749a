import { Body, HttpCode, Post, Put } from '@nestjs/common';
import type { ErasureResponse, Principal, TenantClosingRequest, TenantErasureRequest } from '@kontor/contracts';
import { Caller } from '../http/route-params.js';
import { Internal } from '../internal/internal.js';
import { EraseTenant } from './erase-tenant.js';

/** For identity: a tenant is closed and deleted. */
@Internal('tenant-erasure')
export class TenantErasureController {
  constructor(private readonly eraseTenant: EraseTenant) {}

  @Put('closing')
  async close(@Caller() { tenantId }: Principal, @Body() body: TenantClosingRequest): Promise<{ closed: boolean }> {
    await this.eraseTenant.close(tenantId, body.closed);
    return { closed: body.closed };
  }

  @Post()
  @HttpCode(200)
  erase(@Caller() { tenantId }: Principal, @Body() body: TenantErasureRequest): Promise<ErasureResponse> {
    return this.eraseTenant.erase(tenantId, body.wholly);
  }
}
