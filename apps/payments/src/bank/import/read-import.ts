import { DomainError, isUuid, unknownReference, type Violation } from '@kontor/kernel';
import {
  inTurns,
  invalidRequest,
  isStorableText,
  readDto,
  readJson,
  readMultipart,
  requireStorable,
} from '@kontor/service-kit';
import { NO_BATCH, type RawEntry, type RawStatement } from '../../domain/bank/import/statement.js';
import { BankLineDto, ImportBankLinesDto, MAX_BANK_LINES } from '../bank.dto.js';
import type { ImportError, WantedImport } from './import-lines.js';
import { parseStatement } from './parse-statement.js';

const MAX_FILE = 20 * 1024 * 1024;

/**
 * A form with a file, or JSON.
 * @throws DomainError 400 `invalid_request`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422
 * `statement_unreadable`, `validation_failed`
 */
export async function readImport(tenantId: string, body: unknown, contentType: string): Promise<WantedImport> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (contentType.startsWith('multipart/form-data')) return fromForm(tenantId, bytes, contentType);
  if (bytes.length > 0 && !/^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(contentType))
    throw new DomainError('unsupported_media_type', {
      kind: 'unsupported_media',
      detail: 'Send a form with the field "file", or JSON.',
    });
  return fromList(readJson(bytes) ?? {});
}

/** Stands for all items while what surrounds them is checked. */
const READABLE: BankLineDto = { reference: '-', bookingDate: '2000-01-01', amount: '1', currencyCode: 'EUR' };

/** A list: what is wrong with one item is an error of that item alone. They are read in turns, once it is known that they are not too many. */
async function fromList(body: unknown): Promise<WantedImport> {
  requireStorable({ ...(body as object), transactions: null });
  const { transactions } = body as { transactions?: unknown };
  const items = Array.isArray(transactions) && transactions.length <= MAX_BANK_LINES ? transactions : null;
  const around = items === null ? body : { ...(body as object), transactions: items.slice(0, 1).map(() => READABLE) };
  const { bankAccountId } = readDto(ImportBankLinesDto, around);
  const { entries, refused } = await inTurns(readItems(items ?? []));
  return { bankAccountId, format: 'json', statements: withoutRepeats(entries), refused };
}

function* readItems(items: readonly unknown[]): Generator<void, { entries: RawEntry[]; refused: ImportError[] }> {
  const entries: RawEntry[] = [];
  const refused: ImportError[] = [];
  for (const [index, item] of items.entries()) {
    yield;
    try {
      requireStorable(item);
      entries.push(rawEntry(readDto(BankLineDto, item), index));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused.push({
        index,
        entry: `transactions[${index}]`,
        reference: referenceOf(item),
        code: error.violations[0]?.code ?? error.reason,
        message: error.message,
      });
    }
  }
  return { entries, refused };
}

/** As far as it can be stored. */
function referenceOf(item: unknown): string | null {
  const { reference } = (item ?? {}) as { reference?: unknown };
  const start = typeof reference === 'string' ? reference.slice(0, 255) : '';
  return start !== '' && isStorableText(start) ? start : null;
}

async function fromForm(tenantId: string, bytes: Buffer, contentType: string): Promise<WantedImport> {
  if (bytes.length > MAX_FILE + 64 * 1024)
    throw new DomainError('payload_too_large', { kind: 'too_large', detail: 'The file may have at most 20 MiB.' });
  const form = readMultipart(bytes, contentType);
  const file = form.get('file');
  const bankAccountId = form.get('bankAccountId')?.content.toString() ?? '';
  const violations: Violation[] = [];
  if (file?.fileName === undefined)
    violations.push({ propertyPath: 'file', message: 'The form has no file in the field "file".', code: 'missing' });
  if (bankAccountId === '')
    violations.push({
      propertyPath: 'bankAccountId',
      message: 'The form has no field "bankAccountId".',
      code: 'missing',
    });
  for (const name of form.keys())
    if (name !== 'file' && name !== 'bankAccountId')
      throw invalidRequest(
        `The field ${name} is unknown.`,
        [{ propertyPath: name, message: 'This field is unknown.', code: 'unknown_field' }],
        'unknown_field',
      );
  if (violations.length > 0) throw invalidRequest(violations[0]!.message, violations);
  if (!isUuid(bankAccountId)) throw unknownReference('bankAccountId', 'bank account');
  const { content } = file!;
  if (content.length > MAX_FILE)
    throw new DomainError('payload_too_large', { kind: 'too_large', detail: 'The file may have at most 20 MiB.' });
  const read = await parseStatement(tenantId, content);
  return { bankAccountId, ...read, refused: [] };
}

/**
 * A caller's reference names one booking: what comes again in the same list is a repetition, not a second booking.
 */
function withoutRepeats(entries: readonly RawEntry[]): RawStatement[] {
  const seen = new Set<string>();
  const [first, again]: [RawEntry[], RawEntry[]] = [[], []];
  for (const entry of entries) {
    const key = JSON.stringify([entry.bankReference, entry.bookingDay, entry.isDebit, entry.amount]);
    (seen.has(key) ? again : first).push(entry);
    seen.add(key);
  }
  return [first, again]
    .filter((part) => part.length > 0)
    .map((part) => ({ name: 'list', account: null, entries: part }));
}

function rawEntry(item: BankLineDto, index: number): RawEntry {
  const negative = item.amount.startsWith('-');
  return {
    name: `transactions[${index}]`,
    index,
    bookingDay: dayOf(item.bookingDate),
    valueDay: item.valueDate === undefined || item.valueDate === null ? null : dayOf(item.valueDate),
    amount: negative ? item.amount.slice(1) : item.amount,
    isDebit: negative,
    currencyCode: item.currencyCode,
    bankReference: item.reference,
    details: [
      {
        amount: null,
        currencyCode: null,
        isDebit: null,
        reference: item.reference,
        endToEndId: item.endToEndId ?? null,
        mandateReference: null,
        counterpartyName: item.counterpartyName ?? null,
        counterpartyIban: item.counterpartyIban ?? null,
        remittance: item.remittanceInformation ?? null,
        isReturn: item.isReturn ?? false,
        returnReason: null,
        charges: null,
        batch: NO_BATCH,
      },
    ],
  };
}

/** The day of a date or an instant, as it is written. */
const dayOf = (text: string): string => (/^\d{4}-\d{2}-\d{2}T/.test(text) ? text.slice(0, 10) : text);
