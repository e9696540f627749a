import { Module } from '@nestjs/common';
import { EventStoreModule } from '../event-store/event-store.module.js';
import { AcceptStreams } from './accept-streams.js';
import { ImportEvents } from './import-events.js';
import { ImportsController } from './imports.controller.js';

/** Events from CSV and NDJSON files. */
@Module({ imports: [EventStoreModule], controllers: [ImportsController], providers: [AcceptStreams, ImportEvents] })
export class FileImportModule {}
