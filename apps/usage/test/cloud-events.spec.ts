import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testService, type TestService } from '@kontor/testing';
import { usageService } from '../src/index.js';
import { tenantOf } from './support/tenant.js';

const PATH = '/api/usage-events';
const SINGLE = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
const BATCH = { 'content-type': 'application/cloudevents-batch+json' };
let usage: TestService;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-03-02T09:00:00.000Z') });
});
afterAll(() => usage.stop());

const tenant = () => tenantOf(usage, { externalId: null });
const event = (changes: object = {}) => ({
  specversion: '1.0',
  id: '1',
  source: '/meters/7',
  type: 'api_call',
  time: '2026-03-02T08:00:00Z',
  subject: 'K-1',
  datacontenttype: 'application/json',
  data: { bytes: 10 },
  traceparent: '00-1-2-01',
  ...changes,
});

describe('CloudEvents', () => {
  it('one is taken: source and id are its transaction', async () => {
    const { send, customerId } = await tenant();
    const answer = await send('POST', PATH, event(), SINGLE);
    expect([answer.status, answer.body]).toEqual([202, { ingested: 1, duplicates: 0, failed: 0, errors: [] }]);
    expect((await send('POST', PATH, event({ data: { bytes: 11 } }), SINGLE)).body).toMatchObject({
      ingested: 0,
      duplicates: 1,
    });
    expect((await send('POST', PATH, event({ source: '/meters/8' }), SINGLE)).body).toMatchObject({
      ingested: 1,
      duplicates: 0,
    });
    const listed = (await send('GET', PATH)).body.data as { transactionId: string }[];
    expect(listed.find((listedEvent) => listedEvent.transactionId === '/meters/7#1')).toMatchObject({
      eventName: 'api_call',
      timestamp: '2026-03-02T08:00:00.000Z',
      customerId,
      properties: { bytes: 10 },
    });
  });

  it('of a batch are taken or refused one by one', async () => {
    const { send } = await tenant();
    const wrong = [
      { specversion: '0.3' }, { id: undefined }, { subject: undefined }, { time: undefined }, { data: [1] },
      { data_base64: 'AA==' }, { datacontenttype: 'text/xml' },
      { type: 5 }, { time: 'now' }, { subject: 'nobody' },
    ]; // prettier-ignore
    const events = [
      event(),
      ...wrong.map((changes, n) => event({ id: `w${n}`, ...changes })),
      7,
      event({ id: '2', data: undefined }),
    ];
    const { status, body } = await send('POST', PATH, JSON.stringify(events), BATCH);
    expect(status).toBe(202);
    expect(body).toMatchObject({ ingested: 2, duplicates: 0, failed: 11 });
    expect(body.errors.map((error: { index: number; code: string }) => [error.index, error.code])).toEqual([
      [1, 'invalid_type'], [2, 'missing_field'], [3, 'missing_field'], [4, 'missing_field'], [5, 'invalid_type'], [6, 'invalid_type'], [7, 'invalid_type'],
      [8, 'invalid_type'], [9, 'invalid_timestamp'], [10, 'unknown_customer'], [11, 'invalid_type'],
    ]); // prettier-ignore
    expect(body.errors[2]).toMatchObject({
      transactionId: '/meters/7#w2',
      message: 'The attribute subject is required.',
    });
  });

  it('in binary mode have their attributes in headers', async () => {
    const { send } = await tenant();
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': 'b%C3%A4',
      'ce-source': 's',
      'ce-type': 'call',
      'ce-time': '2026-03-02T08:00:00Z',
      'ce-subject': 'K-1',
    };
    expect((await send('POST', PATH, { bytes: 3 }, headers)).body).toMatchObject({ ingested: 1 });
    expect((await send('GET', PATH)).body.data[0]).toMatchObject({ transactionId: 's#bä', properties: { bytes: 3 } });
    expect((await send('POST', PATH, { bytes: 3 }, { ...headers, 'ce-id': '%' })).status).toBe(400);
  });

  it.each([
    ['no JSON', SINGLE, '{', 400],
    ['a list where one is announced', SINGLE, '[]', 400],
    ['one where a list is announced', BATCH, '{}', 400],
    ['an empty batch', BATCH, '[]', 400],
    ['1001 events', BATCH, JSON.stringify(Array.from({ length: 1001 }, () => ({}))), 400],
    ['the XML format', { 'content-type': 'application/cloudevents+xml' }, '<event/>', 415],
    ['another kind of JSON', { 'content-type': 'application/vnd.x+json' }, '{"events":[]}', 415],
    ['text', { 'content-type': 'text/plain' }, 'x', 415],
  ])('%s: refused', async (_what, headers, body, status) => {
    const { send } = await tenant();
    expect((await send('POST', PATH, body, headers)).status).toBe(status);
  });
});
