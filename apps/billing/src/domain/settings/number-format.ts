/** Kinds of documents that are numbered, each kind by a separate series. */
export const DOCUMENT_TYPES = [
  'TYPE_INVOICE',
  'TYPE_CREDIT',
  'TYPE_REFUND',
  'TYPE_REMINDER',
  'TYPE_CANCEL',
  'TYPE_DUNNING',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
export type NumberFormats = Readonly<Record<DocumentType, string>>;

/** One series per document type and year; only the prefix distinguishes them. */
export const DEFAULT_NUMBER_FORMATS: NumberFormats = {
  TYPE_INVOICE: 'RE-{year}-{seq:5}',
  TYPE_CREDIT: 'GS-{year}-{seq:5}',
  TYPE_REFUND: 'ER-{year}-{seq:5}',
  TYPE_REMINDER: 'ZE-{year}-{seq:5}',
  TYPE_CANCEL: 'ST-{year}-{seq:5}',
  TYPE_DUNNING: 'MA-{year}-{seq:5}',
};

const PLACEHOLDER = /\{[^}]*\}/g;
const SEQUENCE = /^\{seq(:(\d|1[0-2]))?\}$/;

/**
 * Why a format cannot give unique numbers, or undefined when it can. Series restart each year, so both the year and
 * the running number must be in it, each once. A number has at most 40 characters.
 */
export function refusesNumberFormat(format: string): string | undefined {
  const placeholders = format.match(PLACEHOLDER) ?? [];
  const unknown = placeholders.find((text) => text !== '{year}' && !SEQUENCE.test(text));
  if (unknown !== undefined) return `${unknown} is not known; use {year} and {seq} or {seq:5}.`;
  if (placeholders.filter((text) => text === '{year}').length !== 1)
    return 'The format must contain {year} once, because series restart each year.';
  if (placeholders.filter((text) => SEQUENCE.test(text)).length !== 1)
    return 'The format must contain {seq} or {seq:n} once.';
  const literal = format.replaceAll(PLACEHOLDER, '');
  if (!/^[\p{L}\p{N} ./_#-]*$/u.test(literal))
    return 'Only letters, digits, blanks and . / _ # - may stand between the placeholders.';
  return literal.length > 24 ? 'The format has more than 24 characters beside its placeholders.' : undefined;
}

/** The first two document types whose numbers could be the same, or undefined. */
export function collidingFormats(formats: NumberFormats): [DocumentType, DocumentType] | undefined {
  for (const [index, type] of DOCUMENT_TYPES.entries()) {
    const earlier = DOCUMENT_TYPES.slice(0, index).find((other) => canMeet(formats[other], formats[type]));
    if (earlier !== undefined) return [earlier, type];
  }
  return undefined;
}

/** Whether two formats give the same number in some year: where one says more before or after the running number, that may be digits of it. */
function canMeet(a: string, b: string): boolean {
  const [before, after] = partsOf(a);
  const [otherBefore, otherAfter] = partsOf(b);
  return (
    isMoreDigits(
      before,
      otherBefore,
      (longer, shorter) => longer.startsWith(shorter) && longer.slice(shorter.length),
    ) &&
    isMoreDigits(
      after,
      otherAfter,
      (longer, shorter) => longer.endsWith(shorter) && longer.slice(0, -shorter.length || undefined),
    )
  );
}

/** Before and after the running number, in a year like any other. */
const partsOf = (format: string): [string, string] => {
  const [before = '', after = ''] = format.replace('{year}', '2026').split(/\{seq(?::\d+)?\}/);
  return [before, after];
};

function isMoreDigits(a: string, b: string, restOf: (longer: string, shorter: string) => string | false): boolean {
  const rest = a.length >= b.length ? restOf(a, b) : restOf(b, a);
  return rest !== false && /^\d*$/.test(rest);
}
