import { DomainError, isUuid, type Violation } from '@kontor/kernel';
import { isSafeAmount, parseMajor } from '@kontor/money';

export const DISPOSITIONS = ['open', 'credit_wallet', 'credit_wallet_and_payout'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export interface Assignment {
  /** In the order in which they get money, each once. */
  readonly invoiceIds: readonly string[];
  readonly disposition: Disposition;
  /** Decimals in major units by invoice id; null: not sent. */
  readonly caps: ReadonlyMap<string, string> | null;
}

/**
 * The body of an assignment. Here everything that is wrong is a 422, also what other bodies answer 400 for.
 * @see docs/rules/bank.md#order-of-refusals
 * `fixed`: the disposition where the body has none.
 * @throws DomainError `validation_failed` with every violation
 */
export function readAssignment(body: unknown, fixed?: Disposition): Assignment {
  const violations: Violation[] = [];
  const wrong = (propertyPath: string, message: string, code: string): void =>
    void violations.push({ propertyPath, message, code });
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refused([{ propertyPath: '', message: 'The body must be a JSON object.', code: 'invalid_type' }]);
  const { invoiceIds, disposition = fixed, assignmentAmounts = null, ...others } = body as Record<string, unknown>;
  for (const name of Object.keys(others)) wrong(name, `The field ${name} is unknown.`, 'unknown_field');
  if (fixed !== undefined && Object.hasOwn(body, 'disposition'))
    wrong('disposition', 'The field disposition is unknown.', 'unknown_field');
  if (fixed !== undefined && Object.hasOwn(body, 'assignmentAmounts'))
    wrong('assignmentAmounts', 'The field assignmentAmounts is unknown.', 'unknown_field');
  const ids = readIds(invoiceIds, 'invoiceIds', wrong);
  if (!DISPOSITIONS.includes(disposition as Disposition))
    wrong(
      'disposition',
      `The disposition is one of ${DISPOSITIONS.join(', ')}.`,
      disposition === undefined ? 'missing' : 'invalid_enum',
    );
  const caps = readCaps(assignmentAmounts, ids, wrong);
  if (violations.length > 0) throw refused(violations);
  return { invoiceIds: ids, disposition: disposition as Disposition, caps };
}

type Wrong = (propertyPath: string, message: string, code: string) => void;

const refused = (violations: readonly Violation[]): DomainError =>
  new DomainError('validation_failed', { detail: violations[0]!.message, violations });

const MAX_IDS = 1000;

function readIds(value: unknown, name: string, wrong: Wrong): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_IDS) {
    wrong(name, `${name} is a list of 1 to ${MAX_IDS} ids.`, value === undefined ? 'missing' : 'invalid_length');
    return [];
  }
  value.forEach((id, index) => {
    if (!isUuid(id)) wrong(`${name}[${index}]`, 'The id is a UUID.', 'invalid_uuid');
  });
  return [...new Set(value.filter(isUuid).map((id) => id.toLowerCase()))];
}

function readCaps(value: unknown, ids: readonly string[], wrong: Wrong): Map<string, string> | null {
  if (value === null) return null;
  const caps = new Map<string, string>();
  if (typeof value !== 'object' || Array.isArray(value)) {
    wrong('assignmentAmounts', 'assignmentAmounts is an object from invoice id to amount.', 'invalid_type');
    return caps;
  }
  const amounts = Object.entries(value as Record<string, unknown>);
  if (amounts.length > MAX_IDS) {
    wrong('assignmentAmounts', `assignmentAmounts has at most ${MAX_IDS} entries.`, 'invalid_length');
    return caps;
  }
  const known = new Set(ids);
  for (const [key, amount] of amounts) {
    const path = `assignmentAmounts.${key}`;
    if (!known.has(key.toLowerCase())) wrong(path, 'The key is one of invoiceIds.', 'unknown_key');
    if (typeof amount !== 'string' || !/^\d{1,18}(\.\d{1,20})?$/.test(amount) || /^0+(\.0*)?$/.test(amount))
      wrong(path, 'The amount is a decimal string, more than zero.', 'invalid_amount');
    else caps.set(key.toLowerCase(), amount);
  }
  return caps;
}

/**
 * Caps in minor units.
 * @throws DomainError `validation_failed` for more decimals than the currency has, or beyond the safe range.
 */
export function capsIn(currencyCode: string, caps: ReadonlyMap<string, string> | null): Map<string, bigint> {
  const minor = new Map<string, bigint>();
  for (const [id, amount] of caps ?? []) {
    const parsed = parseMajor(amount, currencyCode);
    if (!parsed || !isSafeAmount(parsed.amountMinor)) {
      const message = parsed
        ? 'The amount is beyond the range of amounts.'
        : `The amount has more decimals than ${currencyCode} allows.`;
      throw refused([
        {
          propertyPath: `assignmentAmounts.${id}`,
          message,
          code: parsed ? 'amount_out_of_range' : 'too_many_decimals',
        },
      ]);
    }
    minor.set(id, parsed.amountMinor);
  }
  return minor;
}

/** `{transactionIds}` of accept-suggestions and ignore. @throws DomainError `validation_failed` */
export function readTransactionIds(body: unknown): string[] {
  const violations: Violation[] = [];
  const wrong: Wrong = (propertyPath, message, code) => void violations.push({ propertyPath, message, code });
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refused([{ propertyPath: '', message: 'The body must be a JSON object.', code: 'invalid_type' }]);
  const { transactionIds, ...others } = body as Record<string, unknown>;
  for (const name of Object.keys(others)) wrong(name, `The field ${name} is unknown.`, 'unknown_field');
  const ids = readIds(transactionIds, 'transactionIds', wrong);
  if (violations.length > 0) throw refused(violations);
  return ids;
}
