import { allEvents, Notice } from '@kontor/contracts';

/** The events that services publish, as an AsyncAPI 3.0 document: one channel a topic, one message a version of an event. */
export function asyncApiDocument(): Record<string, unknown> {
  const events = allEvents();
  const topics = [...new Set(events.map((event) => event.topic))].sort();
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Kontor events',
      version: '0.0.0',
      description: 'Domain events between the services. The message key is the aggregate id.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      topics.map((topic) => [
        topic,
        {
          address: topic,
          messages: Object.fromEntries(
            events
              .filter((event) => event.topic === topic)
              .map((event) => [event.type, { $ref: `#/components/messages/${event.type}` }]),
          ),
        },
      ]),
    ),
    operations: Object.fromEntries(
      topics.map((topic) => [`publish.${topic}`, { action: 'send', channel: { $ref: `#/channels/${topic}` } }]),
    ),
    components: {
      messages: Object.fromEntries(
        events.map((event) => [
          event.type,
          {
            name: event.type,
            summary: event.description,
            payload: event.schema,
            examples: [{ payload: event.example }],
          },
        ]),
      ),
      schemas: { Notice },
    },
  };
}
