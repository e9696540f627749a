import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Api, eventually, type Json } from '../support/api.js';

/** What may be answered while something is broken: nothing was done, or nobody knows, so ask again with the same key. */
const NOT_NOW = new Set([408, 429, 503, 504, 507]);
const RUNNING = new Set(['request_in_progress', 'import_in_progress']);
const PATIENCE_MS = 10_000;
const PAUSE_MS = 100;

/** A client as it should be: it gives up what is not answered, and repeats it under its key until it is. */
export class PatientClient {
  constructor(private readonly api: Api) {}

  /** The body of the success that comes at last. @throws Error for any answer that a fault does not excuse. */
  async ok(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown, type?: string): Promise<Json> {
    const headers: Record<string, string> = { 'idempotency-key': randomUUID() };
    if (type) headers['content-type'] = type;
    return eventually(`an answer of ${method} ${path}`, async () => {
      const answer = await this.once(method, path, body, method === 'POST' ? headers : {});
      if (answer !== undefined) return { body: answer.body };
      await sleep(PAUSE_MS);
      return undefined;
    }).then((answer: Json) => answer.body);
  }

  /** Undefined: not now. */
  async once(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Json> | undefined> {
    const answer = await this.api
      .send(method, path, body, headers, AbortSignal.timeout(PATIENCE_MS))
      .catch(unreachable);
    if (answer === undefined || NOT_NOW.has(answer.status)) return undefined;
    if (answer.status === 409 && RUNNING.has(answer.body.reason)) return undefined;
    if (answer.status < 300) return answer;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** Asks until what is answered is as it should be. */
  until<T>(what: string, path: string, read: (body: Json) => T | undefined | false): Promise<T> {
    return eventually(what, async () => {
      const answer = await this.once('GET', path);
      const found = answer && read(answer.body);
      if (found === undefined || found === false) await sleep(PAUSE_MS);
      return found;
    });
  }

  /** All rows of a list, page by page. */
  async all(path: string): Promise<Json[]> {
    const rows: Json[] = [];
    for (let page = 1; ; page++) {
      const { data, meta } = await this.ok('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`);
      rows.push(...data);
      if (page >= meta.pagination.lastPage) return rows;
    }
  }
}

/** No connection, or none any more, or no answer in time; anything else is a mistake of ours. */
function unreachable(error: Error): undefined {
  if (error.name === 'TimeoutError' || (error instanceof TypeError && /fetch failed|terminated/.test(error.message)))
    return undefined;
  throw error;
}
