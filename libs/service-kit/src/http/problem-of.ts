import { HttpException } from '@nestjs/common';
import { DomainError, saysLostConnection, saysOutage } from '@kontor/kernel';
import { OutcomeUnknown, ServiceUnavailable } from '../internal/errors.js';
import { type Problem, problem } from './problem.js';
import { STATUS_OF_KIND } from './status-of-kind.js';

export interface ErrorAnswer {
  readonly body: Problem;
  readonly headers: Record<string, string>;
  /** A fault of ours: to be logged with its stack. */
  readonly fault: boolean;
}

interface CodedError {
  code?: string;
  statusCode?: number;
  message?: string;
  driverError?: { code?: string };
}

/** Values that PostgreSQL could not read (text, number, date out of its range): a check was missing, the request is bad all the same. */
const BAD_VALUE = new Set(['22P02', '22P05', '22003', '22007', '22008', '22009', '22021']);
/** No room for data: PostgreSQL's disk, or that of this process. */
const STORAGE_FULL = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** An address that no id can have: nothing is there. */
const NO_ADDRESS = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH']);

/** Maps whatever was thrown to the one error format. Internals of 5xx are never shown. */
export function problemOf(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof DomainError) return ofDomainError(error, requestId);
  if (error instanceof ServiceUnavailable || error instanceof OutcomeUnknown) {
    const detail = 'A part of the system is not reachable at the moment; try again.';
    return { body: problem(503, requestId, { detail }), headers: { 'retry-after': '1' }, fault: true };
  }
  if (error instanceof HttpException) {
    const status = error.getStatus();
    const detail = status === 404 ? 'There is no such resource.' : status < 500 ? error.message : undefined;
    return { body: problem(status, requestId, { detail }), headers: {}, fault: status >= 500 };
  }
  const coded = (error ?? {}) as CodedError;
  const code = coded.driverError?.code ?? coded.code ?? '';
  if (NO_ADDRESS.has(code))
    return { body: problem(404, requestId, { detail: 'There is no such resource.' }), headers: {}, fault: false };
  if (BAD_VALUE.has(code))
    return {
      body: problem(400, requestId, { detail: 'A value in the request cannot be read.' }),
      headers: {},
      fault: true,
    };
  if (STORAGE_FULL.has(code)) {
    const detail = 'The storage is full: nothing can be written until there is room again.';
    return { body: problem(507, requestId, { detail }), headers: { 'retry-after': '30' }, fault: true };
  }
  if (saysOutage(code) || saysLostConnection(coded.message ?? '')) {
    return {
      body: problem(503, requestId, { detail: 'Temporarily unavailable; try again.' }),
      headers: { 'retry-after': '1' },
      fault: true,
    };
  }
  const status = coded.statusCode ?? 500;
  if (status >= 400 && status < 500) return ofFastify(coded, status, requestId);
  return {
    body: problem(500, requestId, { detail: 'Something went wrong on our side; the request id identifies it.' }),
    headers: {},
    fault: true,
  };
}

function ofDomainError(error: DomainError, requestId: string): ErrorAnswer {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  if (error.kind === 'unauthenticated') headers['www-authenticate'] = 'Bearer';
  // RFC 6750, 3.1
  if (error.neededScope !== undefined)
    headers['www-authenticate'] = `Bearer error="insufficient_scope", scope="${error.neededScope}"`;
  return {
    body: problem(STATUS_OF_KIND[error.kind], requestId, {
      reason: error.reason,
      detail: error.message,
      violations: error.violations,
    }),
    headers,
    fault: false,
  };
}

const FASTIFY_DETAILS: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than this operation takes.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send JSON with "Content-Type: application/json".',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says.',
};

const ofFastify = (error: CodedError, status: number, requestId: string): ErrorAnswer => ({
  body: problem(status, requestId, { detail: FASTIFY_DETAILS[error.code ?? ''] }),
  headers: {},
  fault: false,
});
