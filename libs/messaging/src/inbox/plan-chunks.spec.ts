import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EventEnvelope } from '@kontor/contracts';
import type { ConsumerHandler } from '../consumer/consumer-handler.js';
import { MAX_CHUNK, planChunks } from './plan-chunks.js';

const handler = (types: string[], batch: boolean): ConsumerHandler => ({
  consumer: 'c',
  types,
  batch,
  invoke: async () => undefined,
});
const AB = handler(['a', 'b'], true);
const S = handler(['s'], false);
const handlers = new Map([['a', AB], ['b', AB], ['s', S]]); // prettier-ignore

const event = fc.record({
  type: fc.constantFrom('a', 'b', 's', 'unknown'),
  tenantId: fc.constantFrom('t1', 't2'),
  aggregateId: fc.constantFrom('x', 'y', 'z'),
  effectiveAt: fc.constantFrom('2026-01-31T22:59:59.999Z', '2026-01-31T23:00:00.000Z'),
});
const events = fc.array(event, { maxLength: 60 }).map((list) =>
  list.map(
    (e, n) =>
      ({
        ...e,
        eventId: String(n),
        topic: 'billing.customer',
        aggregateSeq: n,
        headers: {},
        payload: null,
      }) as EventEnvelope,
  ),
);

describe('cutting a lane into calls', () => {
  it('keeps each aggregate in order, takes every event once, never mixes tenants or local days', () => {
    fc.assert(
      fc.property(events, (list) => {
        const chunks = planChunks(list, handlers);
        const planned = chunks.flatMap((chunk) => chunk.events);
        const wanted = list.filter((e) => handlers.has(e.type));
        expect(planned).toHaveLength(wanted.length);
        for (const tenant of ['t1', 't2'])
          for (const aggregate of ['x', 'y', 'z']) {
            const of = (all: readonly EventEnvelope[]): string[] =>
              all.filter((e) => e.tenantId === tenant && e.aggregateId === aggregate).map((e) => e.eventId);
            expect(of(planned)).toEqual(of(wanted));
          }
        for (const chunk of chunks) {
          expect(new Set(chunk.events.map((e) => `${e.tenantId} ${e.effectiveAt}`)).size).toBe(1);
          expect(chunk.events.every((e) => handlers.get(e.type) === chunk.handler)).toBe(true);
          if (!chunk.handler.batch) expect(chunk.events).toHaveLength(1);
        }
      }),
    );
  });

  it('leaves out what concerns nobody, and nothing that cannot be looked at', () => {
    const named = ['x', 'y'].map((aggregateId) => ({
      type: 'a',
      tenantId: 't',
      aggregateId,
      effectiveAt: '2026-01-01T00:00:00.000Z',
    }));
    const planned = (concerns: (event: EventEnvelope) => boolean): unknown[] =>
      planChunks(named as EventEnvelope[], new Map([['a', { ...AB, concerns }]])).flatMap((chunk) => chunk.events);
    expect(planned(({ aggregateId }) => aggregateId === 'y')).toEqual([named[1]]);
    expect(planned(() => false)).toEqual([]);
    expect(planned(({ payload }) => (payload as { state: { id: string } }).state.id === 'x')).toEqual(named);
  });

  it('gives a batch handler at most 500 at a time', () => {
    const list = Array.from(
      { length: 1_201 },
      (_, n) =>
        ({
          eventId: String(n),
          type: 'a',
          tenantId: 't',
          topic: 'billing.customer',
          aggregateId: String(n),
          aggregateSeq: 1,
          effectiveAt: '2026-01-01T00:00:00.000Z',
          headers: {},
          payload: null,
        }) as EventEnvelope,
    );
    expect(planChunks(list, handlers).map((chunk) => chunk.events.length)).toEqual([MAX_CHUNK, MAX_CHUNK, 201]);
  });
});
