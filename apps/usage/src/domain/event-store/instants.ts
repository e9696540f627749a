const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;
const DAYS = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/**
 * Times that usage can have: what lies outside is a mistake, and a calendar of partitions or periods must not reach for
 * it.
 */
const FIRST_MS = Date.UTC(1900, 0, 1);
const END_MS = Date.UTC(2201, 0, 1);

/**
 * Milliseconds since 1970 of an existing instant with a zone, finer parts cut off; NaN for anything else (30 February
 * among it).
 */
export function instantMsOf(text: string): number {
  const usual = usualInstantMs(text);
  if (usual !== undefined) return usual;
  const match = INSTANT.exec(text);
  if (!match) return Number.NaN;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > DAYS[month]!) return Number.NaN;
  if (month === 2 && day === 29 && !(year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))) return Number.NaN;
  const instant = Date.parse(text);
  return instant >= FIRST_MS && instant < END_MS ? instant : Number.NaN;
}

/**
 * `2026-02-01T11:00:00.123Z`, as most clients write it, read digit by digit; undefined for anything that needs a closer
 * look.
 */
function usualInstantMs(text: string): number | undefined {
  if (text.length !== 24 || text.charCodeAt(23) !== 0x5a || text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d)
    return undefined;
  if (
    text.charCodeAt(10) !== 0x54 ||
    text.charCodeAt(13) !== 0x3a ||
    text.charCodeAt(16) !== 0x3a ||
    text.charCodeAt(19) !== 0x2e
  )
    return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const [hour, minute, second, ms] = [
    digits(text, 11, 13),
    digits(text, 14, 16),
    digits(text, 17, 19),
    digits(text, 20, 23),
  ];
  // Years outside of the bounds and the last days of a month need a closer look. NaN fails every comparison.
  if (!(
    year >= 1900 &&
    year <= 2200 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 28 &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    ms >= 0
  ))
    return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** The same as a Date; undefined for what is none. */
export function instantOf(text: string): Date | undefined {
  const ms = instantMsOf(text);
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
