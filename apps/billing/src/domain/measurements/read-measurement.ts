import { isSupportedDay, isUuid, hasAtMost } from '@kontor/kernel';
import { isDecimal } from '@kontor/money';

/** One reading as a client sent it, well-formed. */
export interface SentMeasurement {
  readonly subscription: string | null;
  readonly subscriptionItem: string | null;
  /** Code or id of the measurement. Null: `quantity`, where no item has it that of the items themselves. */
  readonly measurement: string | null;
  readonly quantity: string;
  /** Null: now. */
  readonly measuredAt: Date | null;
  readonly transactionId: string | null;
}

/** What is wrong with a reading. `malformed`: it cannot be read at all. */
export interface MeasurementError {
  readonly field: string;
  readonly code: 'required' | 'invalid_type' | 'unknown_field' | 'invalid_value';
  readonly message: string;
  readonly malformed: boolean;
}

export const isMeasurementError = (read: SentMeasurement | MeasurementError): read is MeasurementError =>
  'malformed' in read;

const FIELDS = ['subscription', 'subscriptionItem', 'measurement', 'quantity', 'measuredAt', 'transactionId'] as const;
const READ_ONLY = ['id', 'createdAt'];
const MAX_TEXT = 255;
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
/** More digits are no quantity of anything. */
const MAX_QUANTITY = 30;

/** Reads a reading; an error is returned and not thrown, so that a batch can go on. */
export function readMeasurement(item: unknown): SentMeasurement | MeasurementError {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return malformed('', 'invalid_type', 'A measurement must be an object.');
  const body = item as Record<string, unknown>;
  const unknown = Object.keys(body).find(
    (name) => !(FIELDS as readonly string[]).includes(name) && !READ_ONLY.includes(name),
  );
  if (unknown !== undefined) return malformed(unknown, 'unknown_field', `The field ${unknown} is unknown.`);
  for (const field of FIELDS) {
    const value = body[field];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return malformed(field, 'invalid_type', `The field ${field} must be a string.`);
    if (value === '' || !hasAtMost(value, MAX_TEXT) || UNSTORABLE.test(value))
      return invalid(field, `The field ${field} must have 1 to ${MAX_TEXT} characters.`);
  }
  const {
    subscription = null,
    subscriptionItem = null,
    measurement,
    quantity,
    measuredAt,
    transactionId = null,
  } = body as Record<(typeof FIELDS)[number], string | null | undefined>;
  if (quantity === undefined || quantity === null)
    return malformed('quantity', 'required', 'The field quantity is required.');
  if (subscription === null && subscriptionItem === null)
    return malformed('subscriptionItem', 'required', 'Name the subscription or the subscriptionItem.');
  if (!isDecimal(quantity) || quantity.startsWith('-') || quantity.length > MAX_QUANTITY)
    return invalid('quantity', 'The field quantity must be a decimal of at least 0, such as "12.5".');
  for (const [field, id] of [
    ['subscription', subscription],
    ['subscriptionItem', subscriptionItem],
  ] as const)
    if (id !== null && !isUuid(id)) return invalid(field, `The field ${field} must be an id.`);
  const at = measuredAt ? instantOf(measuredAt) : null;
  if (at === undefined)
    return invalid('measuredAt', 'The field measuredAt must be an ISO 8601 date-time with a zone, from 1900 to 2200.');
  return {
    subscription: subscription?.toLowerCase() ?? null,
    subscriptionItem: subscriptionItem?.toLowerCase() ?? null,
    measurement: measurement ?? null,
    quantity,
    measuredAt: at,
    transactionId,
  };
}

function instantOf(text: string): Date | undefined {
  const at = new Date(text);
  const day = text.slice(0, 10);
  return INSTANT.test(text) && isSupportedDay(day) && !Number.isNaN(at.getTime()) ? at : undefined;
}

const malformed = (field: string, code: MeasurementError['code'], message: string): MeasurementError => ({
  field,
  code,
  message,
  malformed: true,
});
const invalid = (field: string, message: string): MeasurementError => ({
  field,
  code: 'invalid_value',
  message,
  malformed: false,
});
