import { Module } from '@nestjs/common';
import { BreakdownsModule } from './breakdowns/breakdowns.module.js';
import { ClosingsModule } from './closings/closings.module.js';
import { EventsModule } from './events/events.module.js';
import { IntakeModule } from './intake/intake.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { ThresholdsModule } from './thresholds/thresholds.module.js';

@Module({ imports: [EventsModule, ImportsModule, MetricsModule, ThresholdsModule, BreakdownsModule, IntakeModule, ClosingsModule] })
export class UsageModule {}
