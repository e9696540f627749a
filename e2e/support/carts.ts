import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Api, Json } from './api.js';

/** Confirms a cart as its buyer does: one that is still being confirmed after some seconds is asked for again. */
export async function confirmCart(anybody: Api, path: string, order: Json): Promise<Answer<Json>> {
  for (;;) {
    const answer = await anybody.put(`${path}/confirm`, order);
    if (answer.status !== 200 || answer.body.status !== 'confirming') return answer;
    await sleep(200);
  }
}
