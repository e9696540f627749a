import { Module } from '@nestjs/common';
import { MeteringModule } from '../metering/metering.module.js';
import { AssignFeature } from './assign-feature.js';
import { EntitlementDueHandler } from './entitlement-due.handler.js';
import { EntitlementsController } from './entitlements.controller.js';
import { FeaturesController } from './features.controller.js';
import { GrantEntitlement } from './grant-entitlement.js';
import { MeasureEntitlements } from './measure-entitlements.js';
import { ReadEntitled } from './read-entitled.js';
import { SpreadFeature } from './spread-feature.js';
import { WriteFeature } from './write-feature.js';

/** What customers may use: features, who gives them, and who has them. */
@Module({
  imports: [MeteringModule],
  controllers: [FeaturesController, EntitlementsController],
  providers: [
    WriteFeature,
    AssignFeature,
    GrantEntitlement,
    SpreadFeature,
    EntitlementDueHandler,
    ReadEntitled,
    MeasureEntitlements,
  ],
})
export class EntitlementsModule {}
