import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { AttemptResult } from '../domain/deliveries/outcome.js';
import type { AttemptDelivery } from './attempt-delivery.js';
import { AttemptShares } from './attempt-shares.js';
import { EndpointLane } from './endpoint-lane.js';
import type { ClaimedDelivery, LaneTurn, Turn, TurnRequest } from './lane-turn.js';

const delivery = (id: string): ClaimedDelivery => ({
  id,
  objectId: id,
  round: 0,
  eventType: 'customer.created',
  sequence: 1,
  createdAt: new Date('2026-03-01T00:00:00Z'),
  data: '{}',
});
const accepted: AttemptResult = { at: new Date(), responseStatus: 200, durationMs: 1, error: null };

/** A lane with two deliveries, whose attempts end when the test resolves them. */
function laneOfTwo(shares = new AttemptShares()) {
  const turns: TurnRequest[] = [];
  const refused = new Set<number>();
  const attempts: ((result: AttemptResult) => void)[] = [];
  const target: Turn['target'] = { url: 'https://receiver.example/hooks', secret: 'whsec_c2VjcmV0', reach: 'public' };
  const turn = {
    execute: (request: TurnRequest): Promise<Turn> => {
      turns.push(request);
      if (refused.has(turns.length)) return Promise.reject(new Error('the disk is full'));
      return Promise.resolve({
        claimed: turns.length === 1 ? [delivery('a'), delivery('b')].slice(0, request.capacity) : [],
        target,
        nextInMs: null,
      });
    },
  };
  const attempt = {
    stopped: false,
    execute: () => new Promise<AttemptResult>((resolve) => attempts.push(resolve)),
  };
  const lane = new EndpointLane({
    tenantId: 't',
    endpointId: 'e',
    lease: 'l',
    turn: turn as unknown as LaneTurn,
    attempt: attempt as unknown as AttemptDelivery,
    shares,
    withConnection: (work) => work(),
  });
  return { lane, turns, attempts, refused };
}

describe("an endpoint's lane", () => {
  it('waits, when it is stopped, for what is in flight: each result is settled, nothing more is claimed', async () => {
    const { lane, turns, attempts } = laneOfTwo();
    const run = lane.run();
    await nextTick();
    expect(attempts).toHaveLength(2);
    lane.stop();
    attempts[0]!(accepted);
    // The process does something else meanwhile: whoever stops it waits for more than this lane.
    await nextTick();
    attempts[1]!(accepted);
    await run;
    expect(turns.flatMap(({ outcomes }) => outcomes.map((outcome) => outcome.delivery.id))).toEqual(['a', 'b']);
    expect(turns.slice(1).map(({ capacity }) => capacity)).toEqual([0, 0]);
  });

  it('settles what was attempted when the database takes it again', async () => {
    const { lane, turns, attempts, refused } = laneOfTwo();
    for (const turn of [2, 3]) refused.add(turn);
    const run = lane.run();
    await nextTick();
    for (const end of attempts) end(accepted);
    expect(await run).toBeNull();
    expect(turns.slice(1).map(({ outcomes }) => outcomes.map((outcome) => outcome.delivery.id))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
      [],
    ]);
  });

  it('waits for its share while others have it all, also when it holds nothing', async () => {
    const shares = new AttemptShares(2);
    const others = shares.ofEndpoint('t', () => undefined);
    expect(others.take()).toBe(1);
    const { lane, turns, attempts } = laneOfTwo(shares);
    const run = lane.run();
    await nextTick();
    expect(turns).toEqual([]);
    others.close();
    await nextTick();
    for (const end of attempts) end(accepted);
    expect(await run).toBeNull();
    expect(turns[0]!.capacity).toBe(1);
    expect(others.take()).toBe(1);
  });

  it('ends when the database refuses it and it holds nothing', async () => {
    const { lane, turns, refused } = laneOfTwo();
    refused.add(1);
    await expect(lane.run()).rejects.toThrow('the disk is full');
    expect(turns).toHaveLength(1);
  });
});
