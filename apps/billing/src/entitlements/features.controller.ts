import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, List, type ListOptions, type ListQuery, Operation } from '@kontor/service-kit';
import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { FEATURE_TYPES } from '../domain/entitlements/feature-config.js';
import { AssignFeature } from './assign-feature.js';
import { AssignmentDto, FEATURE_STATUSES, FeatureDto, FeatureStatusDto, NewFeatureDto } from './entitlement.dto.js';
import { assignmentSchema, featureSchema, listedFeatureSchema } from './entitlement.schema.js';
import * as examples from './examples.js';
import { findFeature, listAssignments, listFeatures, representFeature } from './feature.read.js';
import { WriteFeature } from './write-feature.js';

const tag = 'Entitlements';
const FEATURE_LIST = {
  filters: { id: 'text', name: 'text', description: 'text', status: FEATURE_STATUSES, type: FEATURE_TYPES },
  order: ['name', 'createdAt'],
  search: true,
} satisfies ListOptions;
const ASSIGNMENT_LIST = { filters: { feature: 'text', product: 'uuid', pricePlan: 'uuid' } } satisfies ListOptions;
const read = { tag, permission: 'entitlement:read' } as const;
const write = { tag, permission: 'entitlement:write' } as const;

/** Features, and which products and prices give them. */
@Controller('entitlement')
export class FeaturesController {
  constructor(
    private readonly db: Database,
    private readonly features: WriteFeature,
    private readonly assignments: AssignFeature,
  ) {}

  @Get('features')
  @Operation({
    id: 'listEntitlementFeatures',
    summary: 'List features',
    description: 'Without the numbers of their assignments and entitlements, which each feature has by itself.',
    ...read,
    response: listedFeatureSchema,
  })
  list(@Caller() { tenantId }: Principal, @List(FEATURE_LIST) list: ListQuery) {
    return this.db.tenant(tenantId, (tx) => listFeatures(tx, list), { readOnly: true });
  }

  @Post('features')
  @Operation({
    id: 'createEntitlementFeature',
    summary: 'Create a feature',
    description:
      'A draft can be given to customers, who may use it from its activation. `switch`: on or off; `custom`: one of freely named levels; ' +
      '`quantity`: one of some numbers or `unlimited`; `range`: any number between two bounds. Other reasons to refuse it: ' +
      '`already_exists` (the id), `unknown_reference`.',
    ...write,
    success: 201,
    response: featureSchema,
    examples: { request: examples.newFeature, response: examples.feature },
  })
  create(@Caller() { tenantId }: Principal, @Body() body: NewFeatureDto) {
    return this.features.create(tenantId, body);
  }

  @Get('features/:id')
  @Operation({
    id: 'getEntitlementFeature',
    summary: 'Get a feature',
    description: 'By its id, which may be a slug of your own.',
    ...read,
    response: featureSchema,
    examples: { response: examples.feature },
  })
  get(@Caller() { tenantId }: Principal, @Param('id') id: string) {
    return this.db.tenant(tenantId, async (tx) => representFeature(tx, await findFeature(tx, id)), { readOnly: true });
  }

  @Put('features/:id')
  @Operation({
    id: 'updateEntitlementFeature',
    summary: 'Replace a feature',
    description:
      'Fields that are left out become empty. Its type stays, its status has an operation of its own. A config that no longer allows a ' +
      'value that somebody has is refused with `in_use`.',
    ...write,
    response: featureSchema,
    examples: { request: examples.changedFeature, response: examples.feature },
  })
  replace(@Caller() { tenantId }: Principal, @Param('id') id: string, @Body() body: FeatureDto) {
    return this.features.replace(tenantId, id, body);
  }

  @Put('features/:id/status')
  @Operation({
    id: 'setEntitlementFeatureStatus',
    summary: 'Activate or archive a feature',
    description:
      'With its first activation, what was given of it can be used. An archived feature is given to nobody any more; what was given ' +
      'stays, and it can be activated again. Repeating it changes nothing.',
    ...write,
    response: featureSchema,
    examples: { request: { status: 'active' }, response: examples.feature },
  })
  status(@Caller() { tenantId }: Principal, @Param('id') id: string, @Body() { status }: FeatureStatusDto) {
    return this.features.setStatus(tenantId, id, status);
  }

  @Get('feature-assignments')
  @Operation({
    id: 'listFeatureAssignments',
    summary: 'List which products and prices give which features',
    description: '`pricePlan` and `product` are ids of what has the feature.',
    ...read,
    response: assignmentSchema,
  })
  assigned(@Caller() { tenantId }: Principal, @List(ASSIGNMENT_LIST) list: ListQuery) {
    return this.db.tenant(tenantId, (tx) => listAssignments(tx, list), { readOnly: true });
  }

  @Post('feature-assignments')
  @Operation({
    id: 'assignEntitlementFeature',
    summary: 'Give a feature to a product or to one of its prices',
    description:
      'Everybody whose subscription has an item of it is entitled to it, from now on or from `validFrom`: subscriptions that run, and those ' +
      'that will be made. A price replaces what its product gives. Reasons to refuse it: `unknown_reference`, `feature_archived`, ' +
      '`too_many_entitlements`.',
    ...write,
    success: 201,
    response: assignmentSchema,
    examples: { request: examples.newAssignment, response: examples.assignment },
  })
  assign(@Caller() { tenantId }: Principal, @Body() body: AssignmentDto) {
    return this.assignments.execute(tenantId, body);
  }
}
