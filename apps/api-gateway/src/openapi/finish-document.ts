import { completeDocument, linkEmbedded } from '@kontor/service-kit';
import { HEADERS, headersOf } from './headers.js';
import { REASONS } from './reasons.js';
import { webhooksOf } from './webhooks.js';

type Json = Record<string, unknown>;

interface Document {
  paths: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, unknown>; [section: string]: unknown };
  [key: string]: unknown;
}

interface Response {
  headers?: Json;
  [word: string]: unknown;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Of every operation. */
const OF_ALL = ['invalid_request', 'rate_limited', 'service_unavailable', 'service_overloaded'];
const OF_KNOWN = ['unauthenticated', 'permission_denied'];
const OF_BODIES = ['unknown_field', 'not_supported_yet', 'payload_too_large', 'unsupported_media_type'];
const OF_POST = ['request_in_progress', 'idempotency_key_reused'];

/** Reasons that an operation may answer: those of all, and those that its code can reach. */
function reasonsOf(method: string, operation: Json): string[] {
  const id = String(operation['operationId']).replace(/UnderApi$|At_.*$/, '');
  const specific = REASONS[id];
  return [
    ...new Set([
      ...OF_ALL,
      ...(operation['x-permission'] === null ? [] : OF_KNOWN),
      ...(operation['requestBody'] ? OF_BODIES : []),
      ...(method === 'post' ? OF_POST : []),
      ...(specific ?? []),
    ]),
  ].sort();
}

/** What only the whole document can say: reasons, headers, webhooks, words and examples. */
export function finishDocument<D extends Document>(merged: D): D {
  const document = completeDocument(linkEmbedded(merged, merged.components?.schemas ?? {}) as D);
  for (const item of Object.values(document.paths))
    for (const [method, given] of Object.entries(item)) {
      if (!METHODS.has(method)) continue;
      const operation = given as Json;
      if (REASONS[String(operation['operationId']).replace(/UnderApi$|At_.*$/, '')] !== undefined)
        operation['x-reasons'] = reasonsOf(method, operation);
      for (const [status, response] of Object.entries((operation['responses'] ?? {}) as Record<string, Response>))
        response.headers = { ...response.headers, ...headersOf(method, status) };
    }
  const { schemas = {} } = document.components ?? {};
  return { ...document, components: { ...document.components, headers: HEADERS }, webhooks: webhooksOf(schemas) };
}
