import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation, page } from '@kontor/service-kit';
import { EVENT_TYPES } from '../domain/event-log/event-types.js';
import { EventType, Webhook } from './webhook.schema.js';
import { CreateWebhook, MAX_WEBHOOKS } from './create-webhook.js';
import { DeleteWebhook } from './delete-webhook.js';
import { ReplaceWebhook } from './replace-webhook.js';
import { WebhookDto } from './webhook.dto.js';
import { ReadWebhooks } from './webhook.read.js';

const tag = 'Webhooks';

@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly creation: CreateWebhook,
    private readonly replacement: ReplaceWebhook,
    private readonly deletion: DeleteWebhook,
    private readonly read: ReadWebhooks,
  ) {}

  @Post()
  @Operation({
    id: 'createWebhook',
    summary: 'Register a receiver',
    description: `At most ${MAX_WEBHOOKS}, disabled ones included: 422 \`too_many_webhooks\`.`,
    tag,
    permission: 'webhook:write',
    response: Webhook,
    shownOnce: ['secret'],
  })
  create(@Caller() principal: Principal, @Body() dto: WebhookDto) {
    return this.creation.execute(principal, dto);
  }

  @Get()
  @Operation({
    id: 'listWebhooks',
    summary: 'List receivers',
    tag,
    permission: 'webhook:read',
    response: Webhook,
  })
  list(
    @Caller() principal: Principal,
    @List({ filters: { enabled: 'boolean' }, order: ['createdAt', 'url'] }) list: ListQuery,
  ) {
    return this.read.list(principal.tenantId, list);
  }

  @Get('event-types')
  @Operation({
    id: 'listEventTypes',
    summary: 'List the events that receivers can ask for',
    description:
      'All on one page, each with the body that a receiver gets. `invoice.*` stands for all of a kind, `*` for all.',
    tag,
    permission: 'webhook:read',
    response: EventType,
  })
  eventTypes(@List({ paged: false }) _list: ListQuery) {
    return page([...EVENT_TYPES], EVENT_TYPES.length, { page: 1, limit: EVENT_TYPES.length });
  }

  @Get(':id')
  @Operation({ id: 'getWebhook', summary: 'Get a receiver', tag, permission: 'webhook:read', response: Webhook })
  get(@Caller() principal: Principal, @IdParam('id') id: string) {
    return this.read.get(principal.tenantId, id);
  }

  @Put(':id')
  @Operation({
    id: 'replaceWebhook',
    summary: 'Replace a receiver; its secret stays',
    tag,
    permission: 'webhook:write',
    response: Webhook,
  })
  replace(@Caller() principal: Principal, @IdParam('id') id: string, @Body() dto: WebhookDto) {
    return this.replacement.execute(principal, id, dto);
  }

  @Delete(':id')
  @Operation({
    id: 'deleteWebhook',
    summary: 'Remove a receiver with its deliveries',
    tag,
    permission: 'webhook:write',
    success: 204,
  })
  remove(@Caller() principal: Principal, @IdParam('id') id: string): Promise<void> {
    return this.deletion.execute(principal, id);
  }
}
