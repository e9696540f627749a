import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { AcceptStreams } from './accept-streams.js';
import { ImportEvents } from './import-events.js';
import { ImportsController } from './imports.controller.js';

@Module({ imports: [EventsModule], controllers: [ImportsController], providers: [AcceptStreams, ImportEvents] })
export class ImportsModule {}
