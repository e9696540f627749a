import { Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { AuthenticatedCustomer, EXAMPLE_LINK, EXAMPLE_TOKENS } from './session.schemas.js';
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
    description:
      'The access token lasts an hour, the refresh token 30 days (`POST /public/customer/refresh`); the link leads to the customer area, ' +
      'once and for 15 minutes.',
    permission: 'customer:write',
    success: 201,
    shownOnce: ['accessToken', 'refreshToken', 'customerAreaLink'],
    response: AuthenticatedCustomer,
    examples: { response: { data: { ...EXAMPLE_TOKENS, customerAreaLink: EXAMPLE_LINK } } },
  })
  execute(@Caller() caller: Principal, @IdParam() id: string) {
    return this.db.tenant(caller.tenantId, (tx) => this.authenticate.execute(tx, id, new Date()));
  }
}
