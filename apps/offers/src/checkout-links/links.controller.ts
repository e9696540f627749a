import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { CheckoutLinkDto } from './link.dto.js';
import { CheckoutLinkSchema } from './link.schema.js';
import { CheckoutLinks } from './links.js';

const tag = 'Checkout';
const read = { tag, permission: 'cart:read', response: CheckoutLinkSchema } as const;
const write = {
  tag,
  permission: 'cart:write',
  response: CheckoutLinkSchema,
  errors: {
    422: '`already_exists` (slug), `validation_failed`, `unknown_reference`, `currency_mix`',
    503: '`service_unavailable`: the catalogue cannot be asked at present',
  },
} as const;
const examples = {
  request: {
    slug: 'team',
    name: 'Team',
    items: [{ pricePlan: '0190a000-0000-7000-8000-000000000001', quantity: '2' }],
  },
};
const LIST = { filters: { slug: 'text' }, order: ['slug', 'createdAt'] } as const;

/** Addresses at which anybody can buy. */
@Controller('checkout-links')
export class CheckoutLinksController {
  constructor(private readonly links: CheckoutLinks) {}

  @Post()
  @Operation({
    id: 'createCheckoutLink',
    summary: 'Create an address at which anybody can buy',
    description:
      'Who opens its `url` gets a cart with its items. With `maxSales` exactly so many carts can be confirmed.',
    success: 201,
    examples,
    ...write,
  })
  create(@Caller() caller: Principal, @Body() body: CheckoutLinkDto) {
    return this.links.create(caller.tenantId, body);
  }

  @Get()
  @Operation({ id: 'listCheckoutLinks', summary: 'Checkout links, newest first', ...read })
  list(@Caller() caller: Principal, @List(LIST) list: ListQuery) {
    return this.links.list(caller.tenantId, list);
  }

  @Get(':id')
  @Operation({ id: 'getCheckoutLink', summary: 'Get a checkout link', ...read })
  get(@Caller() caller: Principal, @IdParam() id: string) {
    return this.links.get(caller.tenantId, id);
  }

  @Put(':id')
  @Operation({ id: 'replaceCheckoutLink', summary: 'Replace a checkout link', examples, ...write })
  replace(@Caller() caller: Principal, @IdParam() id: string, @Body() body: CheckoutLinkDto) {
    return this.links.replace(caller.tenantId, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    id: 'deleteCheckoutLink',
    summary: 'Delete a checkout link of which no cart was made',
    success: 204,
    tag,
    permission: 'cart:write',
    errors: { 422: '`in_use`' },
  })
  remove(@Caller() caller: Principal, @IdParam() id: string) {
    return this.links.remove(caller.tenantId, id);
  }
}
