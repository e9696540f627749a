import { BodyExample, FieldCheck, OptionalField, ReadOnly, RequiredField, TextFormat } from '@kontor/service-kit';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsString, Length, MaxLength } from 'class-validator';
import { EVENT_PATTERNS, isEventPattern } from '../domain/endpoints/event-pattern.js';

const EventPattern = (): PropertyDecorator =>
  FieldCheck(
    {
      code: 'invalid_event_name',
      message: 'must be names of events (GET /webhooks/event-types lists them), invoice.* for all of a kind, or *',
      types: ['string'],
      schema: { enum: EVENT_PATTERNS },
      holds: isEventPattern,
    },
    { each: true },
  );

/** Body of POST and PUT: PUT replaces, what is left out gets its default. */
@BodyExample({ url: 'https://example.com/hook', events: ['invoice.*'] })
export class WebhookDto {
  @ReadOnly()
  id?: string;
  @ReadOnly()
  secret?: string;
  @ReadOnly()
  createdAt?: string;
  @ReadOnly()
  disabledReason?: string | null;

  @RequiredField()
  @IsString()
  @Length(1, 2048)
  @TextFormat('uri')
  url!: string;

  @RequiredField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @EventPattern()
  events!: string[];

  @OptionalField()
  @IsBoolean()
  enabled?: boolean | null;

  @OptionalField()
  @IsString()
  @MaxLength(1000)
  description?: string | null;
}
