import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '@kontor/contracts';
import {
  INTERNAL_TOKEN_HEADER,
  InternalTokens,
  type OpenApiDocument,
  type RunningService,
  type ServiceDefinition,
} from '@kontor/service-kit';
import { assertDocumented, DocumentedAnswers } from './documented-answers.js';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text where it is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
  readonly body: any;
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<TestAnswer>;

const MAX_TRIES = 30;
const documents = new Map<ServiceDefinition, Promise<DocumentedAnswers>>();

/** Calls a service over HTTP as the gateway would, and holds every answer against the service's OpenAPI document. */
export class TestClient {
  private readonly tokens: InternalTokens;

  private constructor(
    private readonly service: RunningService,
    private readonly answers: DocumentedAnswers,
  ) {
    this.tokens = new InternalTokens(service.kit.config.internalSecret);
  }

  static async of(definition: ServiceDefinition, service: RunningService): Promise<TestClient> {
    // The document follows from the definition: asked for once, its schemas are compiled for all specs of this process.
    let answers = documents.get(definition);
    if (!answers) documents.set(definition, (answers = documentedBy(service)));
    return new TestClient(service, await answers);
  }

  /** Null: without a principal. */
  as(principal: Principal | null): Send {
    return async (method, path, body, headers = {}) => {
      const json =
        body !== undefined && typeof body !== 'string' && !(body instanceof FormData) && !Buffer.isBuffer(body);
      const answer = await untilTurn(() =>
        fetch(this.service.url + path, {
          method,
          headers: {
            ...(principal ? { [INTERNAL_TOKEN_HEADER]: this.tokens.sign(principal) } : {}),
            ...(json ? { 'content-type': 'application/json' } : {}),
            ...headers,
          },
          ...(body === undefined ? {} : { body: (json ? JSON.stringify(body) : body) as never }),
        }),
      );
      const contentType = answer.headers.get('content-type');
      assertDocumented(this.answers, { method, path, contentType, status: answer.status, body: answer.body });
      return answer;
    };
  }
}

/** Sends again what an overloaded service has not begun, as every client should: the machine may do other work. */
async function untilTurn(send: () => Promise<Response>): Promise<TestAnswer> {
  for (let tries = 1; ; tries++) {
    const response = await send();
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    const body = isJson ? (JSON.parse(text) as { reason?: string } | null) : text;
    const isOverloaded =
      response.status === 503 && (body as { reason?: string } | null)?.reason === 'service_overloaded';
    if (!isOverloaded || tries === MAX_TRIES) return { status: response.status, headers: response.headers, body };
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000);
  }
}

async function documentedBy(service: RunningService): Promise<DocumentedAnswers> {
  const response = await fetch(`${service.url}/internal/openapi`);
  return new DocumentedAnswers((await response.json()) as OpenApiDocument);
}
