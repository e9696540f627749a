#!/usr/bin/env node
/**
 * A month of usage of two customers, the same whenever it is made: calls of an API with status, bytes and region, and what their
 * storage held. `node generate.mjs calls > calls.csv`, `node generate.mjs storage > storage.ndjson`.
 */
import { pathToFileURL } from 'node:url';

export const FROM = Date.parse('2026-05-31T22:00:00.000Z');
export const TO = Date.parse('2026-06-30T22:00:00.000Z');
export const CUSTOMERS = ['backhaus', 'werft'];
const REGIONS = ['eu', 'eu', 'eu', 'us', 'us', 'ap'];
const MINUTE = 60_000;

/** Numbers from 0 to 1 that look like chance and are always the same. */
function chance(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** Calls: by day more than by night, some fail (5xx, not billed), the second customer calls a third as often. */
export function* calls() {
  for (const [n, customer] of CUSTOMERS.entries()) {
    const random = chance(n + 7);
    let count = 0;
    for (let at = FROM; at < TO; at += 4 * MINUTE * (n === 0 ? 1 : 3) * (0.5 + random())) {
      const hour = new Date(at).getUTCHours();
      if ((hour < 5 || hour > 19) && random() < 0.8) continue;
      const dice = random();
      yield {
        transactionId: `${customer}-call-${(count += 1)}`,
        timestamp: new Date(Math.floor(at)).toISOString(),
        customer,
        status: dice < 0.02 ? 503 : dice < 0.07 ? 404 : 200,
        bytes: Math.floor(random() ** 4 * 400_000_000),
        region: REGIONS[Math.floor(random() * REGIONS.length)],
      };
    }
  }
}

/** Storage in GB, reported now and then; it grows, and sometimes a part is deleted. */
export function* storage() {
  for (const [n, customer] of CUSTOMERS.entries()) {
    const random = chance(n + 101);
    let gigabytes = 120 * (n + 1);
    let count = 0;
    for (let at = FROM + 90 * MINUTE; at < TO; at += (3 + 9 * random()) * 60 * MINUTE) {
      gigabytes = random() < 0.03 ? gigabytes * 0.7 : gigabytes + random() * 4;
      const transactionId = `${customer}-storage-${(count += 1)}`;
      yield { transactionId, timestamp: new Date(Math.floor(at)).toISOString(), customer, gigabytes: Number(gigabytes.toFixed(3)) };
    }
  }
}

/** As `POST /api/usage-events/import` accepts it. */
export function* callsAsCsv() {
  yield 'transactionId,eventName,timestamp,customerId,properties.status,properties.bytes,properties.region\n';
  for (const { transactionId, timestamp, customer, status, bytes, region } of calls())
    yield `${transactionId},api_call,${timestamp},${customer},${status},${bytes},${region}\n`;
}

export function* storageAsNdjson() {
  for (const { transactionId, timestamp, customer, gigabytes } of storage())
    yield `${JSON.stringify({ transactionId, eventName: 'storage', timestamp, customerId: customer, properties: { gigabytes } })}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const line of process.argv[2] === 'storage' ? storageAsNdjson() : callsAsCsv()) process.stdout.write(line);
}
