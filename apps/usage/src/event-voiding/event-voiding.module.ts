import { Module } from '@nestjs/common';
import { RollupsModule } from '../rollups/rollups.module.js';
import { VoidUsageEventController } from './void-usage-event.controller.js';
import { VoidUsageEvent } from './void-usage-event.js';

/** Voiding an event: it stays visible and counts nowhere. */
@Module({ imports: [RollupsModule], controllers: [VoidUsageEventController], providers: [VoidUsageEvent] })
export class EventVoidingModule {}
