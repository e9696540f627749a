import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import {
  answerUnlessKnown,
  Caller,
  customerOf,
  IdParam,
  List,
  type ListOptions,
  type ListQuery,
  Operation,
  permissionDenied,
} from '@kontor/service-kit';
import { Body, Controller, Get, Headers, Post, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ENTITLEMENT_STATUSES } from '../domain/entitlements/entitlement-status.js';
import { EntitlementStatusDto, GrantDto } from './entitlement.dto.js';
import { listEntitlements } from './entitlement.read.js';
import { customerEntitlementsSchema, entitlementSchema } from './entitlement.schema.js';
import * as examples from './examples.js';
import { GrantEntitlement } from './grant-entitlement.js';
import { ReadEntitled } from './read-entitled.js';

const tag = 'Entitlements';
const LIST = {
  filters: { status: ENTITLEMENT_STATUSES },
  others: { includeExpired: 'boolean' },
} satisfies ListOptions;
const ENTITLED = {
  filters: { status: ENTITLEMENT_STATUSES, feature: 'text' },
  others: { includeExpired: 'boolean', includeUsage: 'boolean' },
  paged: false,
} satisfies ListOptions;
const grant = {
  tag,
  permission: 'entitlement:write',
  success: 201,
  response: entitlementSchema,
  examples: { request: examples.newGrant, response: examples.entitlement },
} as const;
const listed = { tag, permission: 'entitlement:read', response: entitlementSchema } as const;
const entitledNow = {
  tag,
  permission: 'entitlement:read',
  customerTokens: true,
  hasETag: true,
  response: customerEntitlementsSchema,
  examples: { response: examples.entitled },
} as const;
const REASONS =
  'Reasons to refuse it: `unknown_reference`, `feature_archived`, `validation_failed` (a value that the feature does not have), ' +
  '`too_many_entitlements`';
const LISTED = 'Expired ones are left out unless `includeExpired` is true or `status` asks for them.';
const ETAGGED =
  'An entitlement that is nearer to the customer replaces others to the same feature: its own those of its subscriptions, a ' +
  "subscription's those of its items, an item's what its price gives, a price's what its product gives. `feature` asks for one or " +
  'some; `includeUsage` adds how much of a quantity is used, in the charged period of the item, else in the calendar month. With ' +
  '`If-None-Match` and the `ETag` of an earlier answer, 304 says that nothing has changed. ';

/** Who is entitled to what. */
@Controller()
export class EntitlementsController {
  constructor(
    private readonly db: Database,
    private readonly grants: GrantEntitlement,
    private readonly entitled: ReadEntitled,
  ) {}

  @Get('subscriptions/:id/entitlements')
  @Operation({
    id: 'listSubscriptionEntitlements',
    summary: 'Entitlements of a subscription and of its items',
    description: LISTED,
    ...listed,
  })
  ofSubscription(@Caller() { tenantId }: Principal, @IdParam() id: string, @List(LIST) list: ListQuery) {
    return this.db.tenant(tenantId, (tx) => listEntitlements(tx, { subscription: id }, list), { readOnly: true });
  }

  @Post('subscriptions/:id/entitlements')
  @Operation({
    id: 'grantSubscriptionEntitlement',
    summary: 'Entitle a subscription to a feature',
    description: `It holds while the subscription does: not while it is paused, and not after its end. ${REASONS}, \`subscription_ended\`.`,
    ...grant,
  })
  toSubscription(@Caller() { tenantId }: Principal, @IdParam() id: string, @Body() body: GrantDto) {
    return this.grants.grant(tenantId, { subscription: id }, body);
  }

  @Get('subscription-items/:id/entitlements')
  @Operation({
    id: 'listSubscriptionItemEntitlements',
    summary: 'Entitlements of an item of a subscription',
    description: `By hand and by its product and price. ${LISTED}`,
    ...listed,
  })
  ofItem(@Caller() { tenantId }: Principal, @IdParam() id: string, @List(LIST) list: ListQuery) {
    return this.db.tenant(tenantId, (tx) => listEntitlements(tx, { item: id }, list), { readOnly: true });
  }

  @Post('subscription-items/:id/entitlements')
  @Operation({
    id: 'grantSubscriptionItemEntitlement',
    summary: 'Entitle an item of a subscription to a feature',
    description: `It replaces what its product or price gives. ${REASONS}, \`subscription_ended\`.`,
    ...grant,
  })
  toItem(@Caller() { tenantId }: Principal, @IdParam() id: string, @Body() body: GrantDto) {
    return this.grants.grant(tenantId, { item: id }, body);
  }

  @Put('entitlements/:id/status')
  @Operation({
    id: 'setEntitlementStatus',
    summary: 'Disable an entitlement, or enable it again',
    description: 'Also one that a product or price gives, for this item alone. Repeating it changes nothing.',
    tag,
    permission: 'entitlement:write',
    response: entitlementSchema,
    examples: { request: { active: false }, response: { ...examples.entitlement, active: false, status: 'disabled' } },
  })
  setActive(@Caller() { tenantId }: Principal, @IdParam() id: string, @Body() { active }: EntitlementStatusDto) {
    return this.grants.setActive(tenantId, id, active);
  }

  @Post('customers/:id/entitlements')
  @Operation({
    id: 'grantCustomerEntitlement',
    summary: 'Entitle a customer to a feature',
    description: `Whatever it has subscribed to; it replaces what its subscriptions give. ${REASONS}, \`customer_archived\`.`,
    ...grant,
  })
  toCustomer(@Caller() { tenantId }: Principal, @IdParam() id: string, @Body() body: GrantDto) {
    return this.grants.grant(tenantId, { customer: id }, body);
  }

  @Get('customers/:id/entitlements')
  @Operation({
    id: 'getCustomerEntitlements',
    summary: 'What a customer is entitled to now',
    description: `${ETAGGED}${LISTED} A token that is bound to a customer gets its own.`,
    errors: { 403: '`foreign_customer`' },
    ...entitledNow,
  })
  async ofCustomer(
    @Caller() caller: Principal,
    @IdParam() id: string,
    @List(ENTITLED) list: ListQuery,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    customerOf(caller, [id]);
    return answerUnlessKnown(await this.entitled.execute(caller.tenantId, id, list), known, reply);
  }

  @Get('entitlements')
  @Operation({
    id: 'getOwnEntitlements',
    summary: 'What the customer of the token is entitled to now',
    scope: 'entitlements.read',
    description: `For tokens that are bound to a customer, such as OAuth's with the scope \`entitlements.read\`. ${ETAGGED}${LISTED}`,
    ...entitledNow,
  })
  async ofToken(
    @Caller() caller: Principal,
    @List(ENTITLED) list: ListQuery,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { customerId } = caller;
    if (!customerId) throw permissionDenied('This is for tokens that are bound to a customer.');
    return answerUnlessKnown(await this.entitled.execute(caller.tenantId, customerId, list), known, reply);
  }
}
