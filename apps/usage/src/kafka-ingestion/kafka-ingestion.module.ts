import { Module } from '@nestjs/common';
import { EventStoreModule } from '../event-store/event-store.module.js';
import { PartitionsModule } from '../partitions/partitions.module.js';
import { KafkaIngestion } from './kafka-ingestion.js';
import { StoreMessages } from './store-messages.js';

/** Events from a Kafka topic. */
@Module({ imports: [EventStoreModule, PartitionsModule], providers: [StoreMessages, KafkaIngestion] })
export class KafkaIngestionModule {}
