import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, HttpStatus, type NestInterceptor } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import {
  type Database,
  findIdempotencyRecord,
  finishIdempotencyRecord,
  type IdempotencyClaim,
  type IdempotencyRecord,
  openAnswer,
  releaseIdempotencyRecord,
} from '@kontor/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { SecretBox } from '../config/secret-box.js';
import { operationOf } from '../http/operation.js';
import { invalidRequest } from '../http/problem.js';
import { requestContext } from '../http/request-context.js';
import type { Log } from '../observability/log.js';

/** No request runs longer: a key that is older and has no final answer was left behind. */
const LONGEST_REQUEST_SECONDS = 30;

/**
 * `Idempotency-Key` on every POST: the first transaction takes the key with its effect, the first 2xx answer is kept and
 * repeated, a refused request frees it. @see docs/rules/api.md#idempotency
 */
export class IdempotencyInterceptor implements NestInterceptor {
  /** Requests of this process that ended without an answer (the database went away in between). */
  private readonly unanswered = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly log: Log,
    private readonly secrets: SecretBox,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = keyOf(request);
    const { shownOnce = [], changesNothing, signsIn, contentOf } = operationOf(context.getHandler()) ?? {};
    const principal = request.principal;
    if (key === undefined || changesNothing || signsIn || !principal?.tenantId) return next.handle();
    const claim = claimOf(request, {
      key,
      principal,
      secrets: this.secrets,
      process: this.database.presence.id,
      shownOnce,
    });
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const record = await this.database.system((sql) => findIdempotencyRecord(sql, claim));
    if (!record) return from(this.first(claim, next, reply));
    const isSame = await isSameRequest(record, claim, () => contentOf?.(request));
    this.requireUsable(record, claim, isSame);
    if (record.final || !operationOf(context.getHandler())?.resumes)
      return from([this.repeat(record, claim, reply, context)]);
    // The key is taken already, by the request that was cut off.
    claim.claimed = true;
    return from(this.first(claim, next, reply));
  }

  /** @throws DomainError 422 `idempotency_key_reused`, 409 `request_in_progress`. */
  private requireUsable(record: IdempotencyRecord, claim: IdempotencyClaim, isSame: boolean): void {
    if (record.principal !== claim.principal) {
      const detail = 'This Idempotency-Key was used with another API key or by another customer; take a new one.';
      throw new DomainError('idempotency_key_reused', { detail });
    }
    if (!isSame) {
      throw new DomainError('idempotency_key_reused', { detail: 'This Idempotency-Key was used for another request.' });
    }
    if (!record.final && !this.isLeftBehind(record, claim)) {
      throw new DomainError('request_in_progress', {
        kind: 'conflict',
        detail: 'A request with this Idempotency-Key is being handled.',
        retryAfterSeconds: 1,
      });
    }
  }

  private repeat(
    record: IdempotencyRecord,
    claim: IdempotencyClaim,
    reply: FastifyReply,
    context: ExecutionContext,
  ): unknown {
    void reply.status(record.status ?? operationOf(context.getHandler())?.success ?? HttpStatus.CREATED);
    void reply.header('idempotent-replayed', 'true');
    if (claim.shownOnce?.length) void reply.header('idempotent-withheld', claim.shownOnce.join(', '));
    return openAnswer(record.answer, (sealed) => this.secrets.open(sealed, claim.tenantId)) ?? undefined;
  }

  private isLeftBehind(record: IdempotencyRecord, claim: IdempotencyClaim): boolean {
    if (this.unanswered.has(idOf(claim))) return true;
    return !record.held || record.ageSeconds > LONGEST_REQUEST_SECONDS;
  }

  private async first(claim: IdempotencyClaim, next: CallHandler, reply: FastifyReply): Promise<unknown> {
    const scope = requestContext();
    if (scope) scope.idempotency = claim;
    try {
      const answer: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      await this.keep(claim, reply.statusCode, answer);
      return answer;
    } catch (error) {
      await this.giveUp(claim, error);
      throw error;
    }
  }

  private async keep(claim: IdempotencyClaim, status: number, answer: unknown): Promise<void> {
    try {
      await this.database.system((sql) => finishIdempotencyRecord(sql, withContent(claim), status, answer));
    } catch (error) {
      // The effect is committed and its provisional answer too: the client gets its answer, a repeat gets the provisional one.
      this.remember(claim);
      this.log.warn(
        { err: error, operation: claim.operation },
        'the final answer of an idempotency key was not stored',
      );
    }
  }

  private async giveUp(claim: IdempotencyClaim, error: unknown): Promise<void> {
    // After a fault the effect may be there (the reply to COMMIT got lost): the key stays, a repeat finds out.
    if (!(error instanceof DomainError)) return this.remember(claim);
    if (!claim.claimed) return;
    await this.database
      .system((sql) => releaseIdempotencyRecord(sql, claim))
      .catch((failure: unknown) => {
        this.log.warn(
          { err: failure, operation: claim.operation },
          'the idempotency key of a refused request was not freed',
        );
      });
  }

  private remember(claim: IdempotencyClaim): void {
    if (this.unanswered.size > 10_000) this.unanswered.clear();
    this.unanswered.add(idOf(claim));
  }
}

const idOf = (claim: IdempotencyClaim): string => `${claim.tenantId}\n${claim.operation}\n${claim.key}`;

/** With what a stream held, of a request that was read to its end. */
const withContent = (claim: IdempotencyClaim): IdempotencyClaim =>
  claim.content === undefined ? claim : { ...claim, bodyHash: `${claim.bodyHash}.${claim.content}` };

/** A stream is read only where everything else is the same, and the first one's was read to its end. */
async function isSameRequest(
  record: IdempotencyRecord,
  claim: IdempotencyClaim,
  contentOf: () => Promise<string> | undefined,
): Promise<boolean> {
  if (record.bodyHash === claim.bodyHash) return true;
  if (record.principal !== claim.principal || !record.bodyHash.startsWith(`${claim.bodyHash}.`)) return false;
  if (!record.final) return true;
  const content = await contentOf();
  return content !== undefined && record.bodyHash === withContent({ ...claim, content }).bodyHash;
}

/** Checked on every POST, also where nothing is kept under it. */
function keyOf({ method, headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (method !== 'POST' || key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw invalidRequest('Idempotency-Key must have 1 to 255 characters.');
  return key;
}

interface ClaimOptions {
  readonly key: string;
  readonly principal: Principal;
  readonly secrets: SecretBox;
  /** Of the process that handles the request. */
  readonly process: string;
  readonly shownOnce: readonly string[];
}

function claimOf(
  request: FastifyRequest,
  { key, principal, secrets, process, shownOnce }: ClaimOptions,
): IdempotencyClaim {
  const { tenantId, kind, subjectId, customerId } = principal;
  // Answers hold account numbers and links; what is shown once is not even kept like this.
  const seal = (text: string): string => secrets.seal(text, tenantId);
  return {
    tenantId,
    key,
    operation: `POST ${request.routeOptions.url ?? ''}`,
    // A customer's next session is still that customer.
    principal: customerId ? `customer ${customerId}` : `${kind} ${subjectId}`,
    bodyHash: hashOf(request),
    process,
    claimed: false,
    seal,
    shownOnce,
  };
}

/** What makes a request the same: path, query, bound customer and body; not the order of the body's fields. */
function hashOf(request: FastifyRequest): string {
  const hash = createHash('sha256').update(`${request.url}\n${request.principal?.customerId ?? ''}\n`);
  const { body } = request;
  if (Buffer.isBuffer(body))
    for (const part of withoutBoundaries(body, request.headers['content-type'])) hash.update(part);
  else if (body === undefined || body === null) hash.update(request.headers['content-length'] ?? '');
  else hash.update(JSON.stringify(sorted(body)));
  return hash.digest('base64url');
}

/** A form's parts: what stands between them is made up anew each time that a client sends the same form. */
function withoutBoundaries(body: Buffer, contentType = ''): Buffer[] {
  const boundary = /^multipart\/[^;]+;.*?\bboundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  if (!boundary) return [body];
  const line = Buffer.from(`--${boundary[1] ?? boundary[2]}`);
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, from)) {
    parts.push(body.subarray(from, at), Buffer.from('--'));
    from = at + line.length;
  }
  return [...parts, body.subarray(from)];
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]);
}
