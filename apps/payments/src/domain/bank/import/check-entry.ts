import { isSupportedDay, storableText } from '@kontor/kernel';
import { isCurrency, isSafeAmount, parseMajor } from '@kontor/money';
import { type RawDetail, type RawEntry, type StatementEntry, type StatementLine } from './statement.js';

/** Why one entry of a statement is not imported; the others are. */
export class RefusedEntry extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'RefusedEntry';
  }
}

/**
 * An entry with its amounts as signed minor units. A batch is split into its parts when each part states its amount and
 * they add up to the entry; else it stays whole.
 * @throws RefusedEntry `currency_mismatch`, `invalid_amount`, `zero_amount`, `too_many_decimals`,
 * `amount_out_of_range`, `invalid_date`, `unknown_direction`
 */
export function checkEntry(raw: RawEntry, accountCurrency: string): StatementEntry {
  const currencyCode = (raw.currencyCode || accountCurrency).toUpperCase();
  if (!isCurrency(currencyCode)) throw new RefusedEntry('unknown_currency', `"${raw.currencyCode}" is no currency.`);
  if (currencyCode !== accountCurrency)
    throw new RefusedEntry(
      'currency_mismatch',
      `The entry is in ${currencyCode}, the bank account in ${accountCurrency}.`,
    );
  if (!isSupportedDay(raw.bookingDay))
    throw new RefusedEntry('invalid_date', `The booking date "${raw.bookingDay}" is no calendar day.`);
  if (raw.valueDay !== null && !isSupportedDay(raw.valueDay))
    throw new RefusedEntry('invalid_date', `The value date "${raw.valueDay}" is no calendar day.`);
  if (raw.isDebit === null)
    throw new RefusedEntry(
      'unknown_direction',
      'The entry does not say whether it is a credit (CRDT) or a debit (DBIT).',
    );
  const size = readAmount(raw.amount, currencyCode);
  const amountMinor = raw.isDebit ? -size : size;
  const parts = splitBatch(raw, currencyCode, amountMinor);
  const lines = parts
    ? raw.details.map((detail, i) => line(raw, detail, currencyCode, parts[i]!))
    : [line(raw, raw.details.length === 1 ? raw.details[0]! : merged(raw.details), currencyCode, amountMinor)];
  return { bookingDay: raw.bookingDay, amountMinor, bankReference: clean(raw.bankReference, MAX_ID), lines };
}

function readAmount(text: string, currencyCode: string): bigint {
  const amount = text.startsWith('+') ? text.slice(1) : text;
  if (!/^\d{1,18}(\.\d+)?$/.test(amount)) throw new RefusedEntry('invalid_amount', `"${text}" is no amount.`);
  const trimmed = amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount;
  const parsed = parseMajor(trimmed, currencyCode);
  if (!parsed) throw new RefusedEntry('too_many_decimals', `${text} has more decimals than ${currencyCode} allows.`);
  if (!isSafeAmount(parsed.amountMinor))
    throw new RefusedEntry('amount_out_of_range', `${text} is beyond the range of amounts.`);
  if (parsed.amountMinor === 0n) throw new RefusedEntry('zero_amount', 'amount must not be 0.');
  return parsed.amountMinor;
}

/** Signed amounts of the parts; undefined when the entry stays whole. */
function splitBatch(raw: RawEntry, currencyCode: string, totalMinor: bigint): bigint[] | undefined {
  if (raw.details.length < 2) return undefined;
  const parts: bigint[] = [];
  for (const detail of raw.details) {
    if (detail.amount === null || (detail.currencyCode ?? currencyCode) !== currencyCode) return undefined;
    try {
      const size = readAmount(detail.amount, currencyCode);
      parts.push((detail.isDebit ?? raw.isDebit) ? -size : size);
    } catch {
      return undefined;
    }
  }
  return parts.reduce((sum, part) => sum + part, 0n) === totalMinor ? parts : undefined;
}

/** A batch that stays whole: it keeps what its parts have in common, and all their texts. */
function merged(details: readonly RawDetail[]): RawDetail {
  const common = <K extends keyof RawDetail>(key: K): RawDetail[K] | null =>
    details.every((detail) => detail[key] === details[0]![key]) ? details[0]![key] : null;
  const texts = [
    ...new Set(details.map((detail) => detail.remittance).filter((text): text is string => text !== null)),
  ];
  return {
    ...details[0]!,
    amount: null,
    reference: common('reference'),
    endToEndId: common('endToEndId'),
    mandateReference: common('mandateReference'),
    counterpartyName: common('counterpartyName'),
    counterpartyIban: common('counterpartyIban'),
    returnReason: common('returnReason'),
    remittance: storableText(texts.join('\n'), MAX_TEXT) || null,
    isReturn: details.every((detail) => detail.isReturn),
    charges: null,
  };
}

const MAX_TEXT = 4000;
const MAX_ID = 255;

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const clean = (text: string | null, limit: number): string | null =>
  text === null ? null : storableText(text.replace(CONTROL, '').trim(), limit) || null;

function line(raw: RawEntry, detail: RawDetail, currencyCode: string, amountMinor: bigint): StatementLine {
  let chargesMinor = 0n;
  try {
    chargesMinor = detail.charges === null ? 0n : readAmount(detail.charges, currencyCode);
  } catch {
    // Charges are informational: a line is not refused for them.
  }
  return {
    amountMinor,
    currencyCode,
    bookingDay: raw.bookingDay,
    valueDay: raw.valueDay ?? raw.bookingDay,
    reference: clean(detail.reference ?? raw.bankReference ?? detail.endToEndId, MAX_ID) ?? raw.bookingDay,
    endToEndId: clean(detail.endToEndId, MAX_ID),
    mandateReference: clean(detail.mandateReference, MAX_ID),
    counterpartyName: clean(detail.counterpartyName, MAX_ID),
    counterpartyIban: clean(detail.counterpartyIban?.replace(/\s/g, '').toUpperCase() ?? null, 34),
    remittance: clean(detail.remittance, MAX_TEXT),
    isReturn: detail.isReturn,
    returnReason: clean(detail.returnReason, MAX_ID),
    chargesMinor,
    batch: {
      paymentInformationId: clean(detail.batch.paymentInformationId, MAX_ID),
      messageId: clean(detail.batch.messageId, MAX_ID),
    },
  };
}
