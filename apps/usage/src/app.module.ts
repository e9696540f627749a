import { Module } from '@nestjs/common';
import { EventsModule } from './events/events.module.js';
import { IntakeModule } from './intake/intake.module.js';
import { ImportsModule } from './imports/imports.module.js';

@Module({ imports: [EventsModule, ImportsModule, IntakeModule] })
export class UsageModule {}
