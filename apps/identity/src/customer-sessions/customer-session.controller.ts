import { Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Operation, permissionDenied, permits } from '@kontor/service-kit';
import { recordAudit } from '../audit-log/record-audit.js';
import { AuthenticatedCustomer, EXAMPLE_LINK, EXAMPLE_TOKENS } from './session.schemas.js';
import { AuthenticateCustomer } from './authenticate-customer.js';

/** What a customer's token can do for its customer: nobody opens a session that may do more than they may themselves. */
const OF_CUSTOMERS = [
  'customer:read',
  'entitlement:read',
  'invoice:read',
  'payment-method:read',
  'subscription:read',
  'wallet:read',
  'wallet:write',
] as const;

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
      'once and for 15 minutes. It takes all permissions that such a token stands for: reading customers, subscriptions, entitlements, ' +
      'invoices and payment methods, and `wallet:write`. Where a person opens it, and not a program, it is in the audit log.',
    permission: 'customer:write',
    success: 201,
    shownOnce: ['accessToken', 'refreshToken', 'customerAreaLink'],
    response: AuthenticatedCustomer,
    examples: { response: { data: { ...EXAMPLE_TOKENS, customerAreaLink: EXAMPLE_LINK } } },
  })
  execute(@Caller() caller: Principal, @IdParam() id: string) {
    const missing = OF_CUSTOMERS.filter((permission) => !permits(caller.permissions, permission));
    if (missing.length > 0)
      throw permissionDenied(`A customer's token may do more than this one: ${missing.join(', ')}.`);
    return this.db.tenant(caller.tenantId, async (tx) => {
      const opened = await this.authenticate.execute(tx, id, new Date());
      // A shop's server opens them all day for who has signed in there; a person acts in somebody else's name.
      if (caller.kind === 'user')
        await recordAudit(tx, { type: 'customer.session_opened', subject: { kind: 'customer', id, name: null } });
      return opened;
    });
  }
}
