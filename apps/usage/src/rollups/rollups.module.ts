import { Module } from '@nestjs/common';
import { BuildRollupsHandler } from './build-rollups.handler.js';
import { UpdateRollups } from './update-rollups.js';
import { PurgeRollupsHandler } from './purge-rollups.handler.js';
import { RepairRollupsHandler } from './repair-rollups.handler.js';
import { RollupWork } from './rollup-work.js';

/** Keeping rollups equal to the events, for whoever changes events. */
@Module({
  providers: [UpdateRollups, RollupWork, BuildRollupsHandler, PurgeRollupsHandler, RepairRollupsHandler],
  exports: [UpdateRollups],
})
export class RollupsModule {}
