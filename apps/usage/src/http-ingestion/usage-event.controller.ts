import { Body, Controller, Headers, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import { MAX_EVENT_BYTES } from '../domain/event-store/read-usage-event.js';
import { IngestEvents } from '../event-store/ingest-events.js';
import { answerFor, readCloudEvents } from './read-cloud-events.js';
import { hasEscapes, readEnvelope } from './read-envelope.js';
import { UsageEventsRequest, UsageEventsResult, type UsageEventsResultJson } from './usage-events.schema.js';

@Controller('api/usage-events')
export class UsageEventController {
  constructor(private readonly ingest: IngestEvents) {}

  @Post()
  @Operation({
    id: 'ingestUsageEvents',
    summary: 'Send usage events',
    tag: 'Usage',
    permission: 'usage-event:write',
    success: 202,
    response: UsageEventsResult,
    requestBody: UsageEventsRequest,
    rawBody: true,
    description: [
      'Takes 1 to 1000 events. What is wrong with one of them is in `errors`; the others are accepted.',
      'A known transactionId is ignored. The properties of an event have at most 256 KiB.',
      'CloudEvents 1.0 are accepted as `application/cloudevents+json`, as `application/cloudevents-batch+json`,',
      'and in binary mode (`ce-…` headers):',
      'type is the eventName, subject the customerId, time the timestamp, data the properties,',
      '`source#id` the transactionId.',
    ].join(' '),
    errors: { 413: 'More than 10 MiB.', 415: 'Neither JSON nor CloudEvents.' },
  })
  async create(
    @Caller() { tenantId }: Principal,
    @Body() body: unknown,
    @Headers() headers: Record<string, string>,
  ): Promise<UsageEventsResultJson> {
    const cloudEvents = readCloudEvents(body, headers);
    const items = cloudEvents?.items ?? readEnvelope(body, headers['content-type']);
    const result = await this.ingest.execute(tenantId, items, {
      plainText: cloudEvents === undefined && !hasEscapes(body as Buffer),
      small: (body as Buffer).length <= MAX_EVENT_BYTES,
    });
    return cloudEvents ? answerFor(cloudEvents, result) : result;
  }
}
