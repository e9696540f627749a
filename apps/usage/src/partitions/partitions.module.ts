import { Module } from '@nestjs/common';
import { DayPartitions } from './day-partitions.js';
import { RetentionHandler } from './retention.handler.js';
import { Retention } from './retention.js';
import { UnbilledUsage } from './unbilled-usage.js';

/** The day partitions of the events: made ahead, dropped by age. */
@Module({ providers: [DayPartitions, Retention, RetentionHandler, UnbilledUsage], exports: [DayPartitions] })
export class PartitionsModule {}
