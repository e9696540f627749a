import { describe, expect, it } from '@jest/globals';
import { allEvents, REPLICAS, eventOfType } from './index.js';

describe('the event catalogue', () => {
  it.each(allEvents().map((event) => [event.type, event] as const))('%s: its example parses', (_type, event) => {
    expect(event.check(event.example)).toBeUndefined();
  });

  it.each(allEvents().map((event) => [event.type, event] as const))(
    '%s: is named after its topic and carries a version',
    (type, event) => {
      expect(type.startsWith(`${event.topic.split('.')[0]}.`)).toBe(true);
      expect(type).toMatch(/\.v\d+$/);
    },
  );

  it('refuses a payload that lacks a field and says which', () => {
    expect(eventOfType('invoicing.media.ready.v1')?.check({ mediaId: 'x' })).toContain('/invoiceId');
  });

  it('every copy has an owner that publishes it and is no copier of its own', () => {
    for (const spec of Object.values(REPLICAS)) {
      expect(spec.event.topic.startsWith(`${spec.owner}.`)).toBe(true);
      expect(spec.copiers).not.toContain(spec.owner);
    }
  });
});
