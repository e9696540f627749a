import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export type JsonSchema = Record<string, unknown>;

/** One public operation: what the OpenAPI document says about it and what the guard asks of the caller. */
export interface OperationOptions {
  /** `operationId`, unique over all services: `createCustomer`. */
  readonly id: string;
  readonly summary: string;
  /** Heading in the documentation. */
  readonly tag: string;
  /** `customer:write`; null: nobody needs to be known. */
  readonly permission: string | null;
  /** Status of success; 201 for POST, else 200. */
  readonly success?: number;
  /** Schema of the success body (a TypeBox schema fits); with `$id` it becomes a component of that name. A list wraps it in `data`. */
  readonly response?: JsonSchema;
  /** Media type of the success body where it is not JSON. */
  readonly responseType?: string;
  /** Names of the success body's fields that hold a secret: never stored with an Idempotency-Key, absent from its repeats. */
  readonly shownOnce?: readonly string[];
  /**
   * It works in several transactions and goes on where it is sent again: after a crash a repeat with its Idempotency-Key
   * runs, instead of being answered by what the first transaction returned.
   */
  readonly resumes?: true;
  /** Of a body that only the handler reads: reads it whole, and says what it holds. With it an Idempotency-Key tells files apart. */
  readonly contentOf?: (request: FastifyRequest) => Promise<string>;
  /** It changes nothing, and its answer may be large: with an Idempotency-Key it is done again, and nothing is kept. */
  readonly changesNothing?: true;
  /** Its body and its answer are what somebody gets in with: with an Idempotency-Key it is done again, and nothing of either is kept. */
  readonly signsIn?: true;
  /** Other media types of the success body, for who asks by `Accept`, each with its schema. */
  readonly alternatives?: Readonly<Record<string, JsonSchema>>;
  /** Tokens bound to one customer are welcome here: the operation keeps them to that customer itself. */
  readonly customerTokens?: boolean;
  /** Also while the tenant is being deleted, for who may do everything. */
  readonly whenClosed?: true;
  /** Tokens of apps that were given this scope are welcome here, kept to the customer who gave it. */
  readonly scope?: string;
  readonly description?: string;
  /** The answer has an ETag, and 304 says that it has not changed: see {@link answerUnlessKnown}. */
  readonly hasETag?: boolean;
  /** The handler takes the body as it came (a Buffer) or reads the stream itself: no JSON is parsed. */
  readonly rawBody?: boolean;
  /** Schema of a body that no DTO class describes. */
  readonly requestBody?: JsonSchema;
  /** Query parameters, by name, that no list describes. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Those of `query` that must be there. */
  readonly requiredQuery?: readonly string[];
  /** Media type of the request body where it is not JSON. */
  readonly requestType?: string;
  /** A body as a client may send it, and one as it gets it back. */
  readonly examples?: { readonly request?: unknown; readonly response?: unknown };
  /** Refusals have the form that a standard prescribes: its JSON, or a page for who asks for one. */
  readonly standardErrors?: boolean;
  /** Other statuses that a client should expect, each with its meaning. */
  readonly errors?: Readonly<Record<number, string>>;
}

export const OPERATION = 'kontor:operation';

/** Makes a handler a public operation: guarded, documented, with its success status. */
export function Operation(options: OperationOptions): MethodDecorator {
  return applyDecorators(
    SetMetadata(OPERATION, options),
    (target: object, key: string | symbol, descriptor: PropertyDescriptor) => {
      if (options.success !== undefined) HttpCode(options.success)(target, key, descriptor);
    },
  );
}

export const operationOf = (handler: Function): OperationOptions | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationOptions | undefined;
