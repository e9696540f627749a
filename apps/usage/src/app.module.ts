import { Module } from '@nestjs/common';
import { EventsModule } from './events/events.module.js';
import { IntakeModule } from './intake/intake.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { MetricsModule } from './metrics/metrics.module.js';

@Module({ imports: [EventsModule, ImportsModule, MetricsModule, IntakeModule] })
export class UsageModule {}
