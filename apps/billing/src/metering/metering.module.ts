import { Module } from '@nestjs/common';
import { MeteredSources } from './metered-sources.js';
import { UnbilledUsageInternal } from './unbilled-usage.internal.js';
import { UsageMeter } from './usage-meter.js';

/** The port to the sources of measured quantities, and its adapter for the usage service; what that one asks in turn. */
@Module({ controllers: [UnbilledUsageInternal], providers: [MeteredSources, UsageMeter], exports: [MeteredSources] })
export class MeteringModule {}
