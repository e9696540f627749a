import { Module } from '@nestjs/common';
import { IngestModule } from '../ingest/ingest.module.js';
import { KafkaIntake } from './kafka-intake.js';
import { StoreMessages } from './store-messages.js';

/** Events from a Kafka topic. */
@Module({ imports: [IngestModule], providers: [StoreMessages, KafkaIntake] })
export class IntakeModule {}
