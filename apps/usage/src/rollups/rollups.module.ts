import { Module } from '@nestjs/common';
import { KeepRollups } from './keep-rollups.js';

/** Keeping rollups equal to the events, for whoever changes events. */
@Module({ providers: [KeepRollups], exports: [KeepRollups] })
export class RollupsModule {}
