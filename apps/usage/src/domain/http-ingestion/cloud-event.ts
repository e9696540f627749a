import type { ItemErrorCode } from '../event-store/read-usage-event.js';

/** A CloudEvent as an item of `POST /api/usage-events`, or what is wrong with it. */
export type MappedCloudEvent =
  | { readonly item: Record<string, unknown> }
  | { readonly transactionId: string | null; readonly code: ItemErrorCode; readonly message: string };

const REQUIRED = ['id', 'source', 'type', 'time', 'subject'] as const;
const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i;

/**
 * A CloudEvents 1.0 object: type is the event's name, subject the customer, time the timestamp, data the properties.
 * CloudEvents promises that source and id together are unique, so together they are the transactionId: two sources may
 * count from 1 each. Other attributes (extensions) are left out.
 */
export function mapCloudEvent(event: unknown): MappedCloudEvent {
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    return refused(null, 'invalid_type', 'An event must be an object.');
  const attributes = event as Record<string, unknown>;
  const { id, source, type, time, subject, specversion, datacontenttype, data } = attributes;
  const transactionId = isText(id) && isText(source) ? transactionIdOf(source, id) : null;
  if (specversion !== '1.0')
    return refused(
      transactionId,
      specversion === undefined ? 'missing_field' : 'invalid_type',
      'The attribute specversion must be "1.0".',
    );
  for (const name of REQUIRED) {
    const value = attributes[name];
    if (value === undefined || value === null || value === '')
      return refused(transactionId, 'missing_field', `The attribute ${name} is required.`);
    if (typeof value !== 'string')
      return refused(transactionId, 'invalid_type', `The attribute ${name} must be a string.`);
  }
  const isJson =
    datacontenttype === undefined ||
    datacontenttype === null ||
    (typeof datacontenttype === 'string' && JSON_TYPE.test(datacontenttype));
  const isObject = data === undefined || data === null || (typeof data === 'object' && !Array.isArray(data));
  if (!isJson || !isObject || attributes.data_base64 !== undefined)
    return refused(transactionId, 'invalid_type', 'The data must be a JSON object.');
  return { item: { transactionId, eventName: type, timestamp: time, customerId: subject, properties: data ?? {} } };
}

const transactionIdOf = (source: string, id: string): string => `${source}#${id}`;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const refused = (transactionId: string | null, code: ItemErrorCode, message: string): MappedCloudEvent => ({
  transactionId: transactionId?.slice(0, 255) ?? null,
  code,
  message,
});
