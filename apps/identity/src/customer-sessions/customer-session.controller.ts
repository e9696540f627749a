import { Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { AuthenticateCustomer } from './authenticate-customer.js';

@Controller('customers')
export class CustomerSessionController {
  constructor(
    private readonly db: Database,
    private readonly authenticate: AuthenticateCustomer,
  ) {}

  @Post(':id/authenticate')
  @Operation({
    id: 'authenticateCustomer',
    summary: "Open a session in a customer's name; its access token acts on that customer alone",
    tag: 'Customers',
    permission: 'customer:write',
    success: 201,
    shownOnce: ['accessToken', 'refreshToken'],
  })
  execute(@Caller() caller: Principal, @IdParam() id: string) {
    return this.db.tenant(caller.tenantId, (tx) => this.authenticate.execute(tx, id, new Date()));
  }
}
