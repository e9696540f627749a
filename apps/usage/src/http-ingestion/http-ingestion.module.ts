import { Module } from '@nestjs/common';
import { EventStoreModule } from '../event-store/event-store.module.js';
import { UsageEventController } from './usage-event.controller.js';

/** Events by `POST /api/usage-events`. */
@Module({ imports: [EventStoreModule], controllers: [UsageEventController] })
export class HttpIngestionModule {}
