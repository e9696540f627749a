import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation, customerOf, ownCustomerId } from '@kontor/service-kit';
import { Body, Controller, Delete, Get, Post, Put, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { subjectOf } from '../wallet/subject-of.js';
import { WalletFeatureGuard } from '../wallet/wallet-feature.js';
import { ChangeRules } from './change-rules.js';
import { ConfirmTopUp } from './confirm-top-up.js';
import { ChangeAutoTopUpDto, CreateAutoTopUpDto, TopUpDto } from './top-up.dto.js';
import { AUTO_TOP_UP_SCHEMA, AUTO_TOP_UPS_SCHEMA, TOP_UP_SCHEMA, TOP_UPS_SCHEMA } from './top-up.schema.js';
import { ReadTopUps } from './top-ups.read.js';
import { TopUpWallet } from './top-up-wallet.js';

const READ = {
  tag: 'Wallet',
  permission: 'wallet:read',
  customerTokens: true,
  errors: { 403: '`feature_not_enabled`, `foreign_customer`' },
};
const WRITE = { ...READ, permission: 'wallet:write' };

@Controller('api/wallet')
@UseGuards(WalletFeatureGuard)
export class TopUpsController {
  constructor(
    private readonly read: ReadTopUps,
    private readonly topUp: TopUpWallet,
    private readonly confirmTopUp: ConfirmTopUp,
    private readonly rules: ChangeRules,
  ) {}

  @Post('top-up')
  @Operation({ id: 'topUpWallet', summary: 'Start a top-up', success: 201, response: TOP_UP_SCHEMA, ...WRITE })
  start(@Caller() caller: Principal, @Body() dto: TopUpDto) {
    return this.topUp.execute(caller.tenantId, subjectOf(caller, dto.customerId), dto);
  }

  @Get('top-ups')
  @Operation({ id: 'listWalletTopUps', summary: 'Top-ups, newest first', response: TOP_UPS_SCHEMA, ...READ })
  list(
    @Caller() caller: Principal,
    @List({ filters: { customerId: 'uuid', status: ['pending', 'completed', 'failed'] } }) list: ListQuery,
  ) {
    return this.read.topUps(caller.tenantId, customerOf(caller, list.filters.customerId), list);
  }

  @Get('top-ups/:id')
  @Operation({ id: 'getWalletTopUp', summary: 'Get a top-up', response: TOP_UP_SCHEMA, ...READ })
  get(@Caller() caller: Principal, @IdParam('id') id: string) {
    return this.read.topUp(caller.tenantId, id, ownCustomerId(caller));
  }

  @Post('top-ups/:id/confirm')
  @Operation({
    id: 'confirmWalletTopUp',
    summary: 'Record that the transfer for a top-up has arrived',
    description: 'For top-ups by bank transfer; all others are completed by their gateway.',
    response: TOP_UP_SCHEMA,
    ...WRITE,
    customerTokens: false,
  })
  confirm(@Caller() caller: Principal, @IdParam('id') id: string) {
    return this.confirmTopUp.execute(caller.tenantId, id);
  }

  @Post('auto-top-up')
  @Operation({
    id: 'createAutoTopUp',
    summary: 'Create a rule for automatic top-ups',
    description: 'One per customer and currency; a second one is refused with 400 `already_exists`.',
    success: 201,
    response: AUTO_TOP_UP_SCHEMA,
    ...WRITE,
  })
  create(@Caller() caller: Principal, @Body() dto: CreateAutoTopUpDto) {
    return this.rules.create(caller.tenantId, subjectOf(caller, dto.customerId), dto);
  }

  @Get('auto-top-up')
  @Operation({ id: 'listAutoTopUps', summary: 'Rules for automatic top-ups', response: AUTO_TOP_UPS_SCHEMA, ...READ })
  listRules(@Caller() caller: Principal, @List({ filters: { customerId: 'uuid' } }) list: ListQuery) {
    return this.read.rules(caller.tenantId, customerOf(caller, list.filters.customerId), list);
  }

  @Put('auto-top-up/:id')
  @Operation({
    id: 'changeAutoTopUp',
    summary: 'Change the supplied fields of a rule',
    response: AUTO_TOP_UP_SCHEMA,
    ...WRITE,
  })
  change(
    @Caller() caller: Principal,
    @IdParam('id') id: string,
    @Body() dto: ChangeAutoTopUpDto,
    @Req() { body }: FastifyRequest,
  ) {
    // The field is read-only, so the DTO is without it; a customer-bound token that names somebody else is refused all
    // the same.
    const named = (body as { customerId?: unknown } | null | undefined)?.customerId;
    customerOf(caller, typeof named === 'string' ? [named] : undefined);
    return this.rules.change(caller.tenantId, id, ownCustomerId(caller), dto);
  }

  @Delete('auto-top-up/:id')
  @Operation({ id: 'deleteAutoTopUp', summary: 'Delete a rule', success: 204, ...WRITE })
  remove(@Caller() caller: Principal, @IdParam('id') id: string) {
    return this.rules.remove(caller.tenantId, id, ownCustomerId(caller));
  }
}
