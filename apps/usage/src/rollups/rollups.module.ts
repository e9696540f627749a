import { Module } from '@nestjs/common';
import { BuildRollupsHandler } from './build-rollups.handler.js';
import { KeepRollups } from './keep-rollups.js';
import { PurgeRollupsHandler } from './purge-rollups.handler.js';
import { RepairRollupsHandler } from './repair-rollups.handler.js';
import { RollupWork } from './rollup-work.js';

/** Keeping rollups equal to the events, for whoever changes events. */
@Module({
  providers: [KeepRollups, RollupWork, BuildRollupsHandler, PurgeRollupsHandler, RepairRollupsHandler],
  exports: [KeepRollups],
})
export class RollupsModule {}
