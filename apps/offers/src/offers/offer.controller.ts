import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { DEAL_TYPES } from '../domain/offers/deal-type.js';
import { OFFER_STATUSES } from '../domain/offers/offer.js';
import { ArchiveOffer } from './archive-offer.js';
import { CreateOffer } from './create-offer.js';
import { ExtendOffer } from './extend-offer.js';
import { ExtendOfferDto, OfferDto } from './offer.dto.js';
import { ReadOffers } from './offer.read.js';
import { OfferSchema } from './offer.schema.js';
import { PublishOffer } from './publish-offer.js';
import { UpdateOffer } from './update-offer.js';

const ULID = { format: 'ulid' } as const;
const tag = 'Offers';
const read = { tag, permission: 'offer:read', response: OfferSchema } as const;
const write = { tag, permission: 'offer:write', response: OfferSchema } as const;
const LIST = {
  filters: { customer: 'uuid', status: OFFER_STATUSES, dealType: DEAL_TYPES, number: 'text', crmDealId: 'text' },
  ranges: ['validUntil', 'createdAt'],
  order: ['number', 'validUntil', 'createdAt'],
} as const;

@Controller('offers')
export class OfferController {
  constructor(
    private readonly database: Database,
    private readonly offers: ReadOffers,
    private readonly createOffer: CreateOffer,
    private readonly updateOffer: UpdateOffer,
  ) {}

  @Post()
  @Operation({
    id: 'createOffer',
    summary: 'Create an offer, not yet published',
    description: 'Only this answer shows the links of its recipients.',
    success: 201,
    shownOnce: ['link'],
    ...write,
  })
  create(@Caller() caller: Principal, @Body() body: OfferDto) {
    return this.createOffer.execute(caller.tenantId, body);
  }

  @Get()
  @Operation({ id: 'listOffers', summary: 'Offers, newest first', ...read })
  list(@Caller() caller: Principal, @List(LIST) list: ListQuery) {
    return this.database.tenant(caller.tenantId, (tx) => this.offers.list(tx, list));
  }

  @Get(':id')
  @Operation({ id: 'getOffer', summary: 'Get an offer', ...read })
  get(@Caller() caller: Principal, @IdParam('id', ULID) id: string) {
    return this.database.tenant(caller.tenantId, (tx) => this.offers.byId(tx, id));
  }

  @Put(':id')
  @Operation({ id: 'updateOffer', summary: 'Replace the content of an open offer', ...write })
  update(@Caller() caller: Principal, @IdParam('id', ULID) id: string, @Body() body: OfferDto) {
    return this.updateOffer.execute(caller.tenantId, id, body);
  }
}

@Controller('offers/:id')
export class OfferActionsController {
  constructor(
    private readonly createOffer: CreateOffer,
    private readonly publishOffer: PublishOffer,
    private readonly extendOffer: ExtendOffer,
    private readonly archiveOffer: ArchiveOffer,
  ) {}

  @Post('publish')
  @Operation({ id: 'publishOffer', summary: 'Publish an offer, or its changes', success: 201, ...write })
  publish(@Caller() caller: Principal, @IdParam('id', ULID) id: string) {
    return this.publishOffer.execute(caller.tenantId, id);
  }

  @Post('duplicate')
  @Operation({ id: 'duplicateOffer', summary: 'Create an open offer with the same content', success: 201, ...write })
  duplicate(@Caller() caller: Principal, @IdParam('id', ULID) id: string) {
    return this.createOffer.duplicate(caller.tenantId, id);
  }

  @Post('extend')
  @Operation({ id: 'extendOffer', summary: 'Prolong the validity of an open offer', success: 201, ...write })
  extend(@Caller() caller: Principal, @IdParam('id', ULID) id: string, @Body() body: ExtendOfferDto) {
    return this.extendOffer.execute(caller.tenantId, id, new Date(body.validUntil));
  }

  @Post('archive')
  @Operation({ id: 'archiveOffer', summary: 'Archive an offer', success: 201, ...write })
  archive(@Caller() caller: Principal, @IdParam('id', ULID) id: string) {
    return this.archiveOffer.execute(caller.tenantId, id);
  }
}
