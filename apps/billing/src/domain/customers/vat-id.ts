export type VatIdStatus = 'unchecked' | 'valid' | 'invalid' | 'unavailable';

/**
 * What an id looks like behind its country prefix, for the states that VIES knows (XI is Northern Ireland, EL Greece).
 * @see https://ec.europa.eu/taxation_customs/vies/ "VAT identification number structure"
 */
const SHAPES: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

/** Days that a confirmed id stays `valid` while VIES cannot be reached. */
export const VALID_DAYS = 30;
const MS_PER_DAY = 86_400_000;

/** An id without the blanks, dots and dashes that people write into it, in upper case. */
export const normalizeVatId = (vatId: string): string => vatId.replace(/[\s.\-/]/g, '').toUpperCase();

/** True when VIES can check the id: the prefix is a state that it knows and the rest has that state's form. */
export function isWellFormedVatId(vatId: string): boolean {
  const shape = SHAPES[vatId.slice(0, 2)];
  return shape?.test(vatId.slice(2)) ?? false;
}

/** True when the prefix is a state that VIES answers for. Ids of other countries stay `unchecked`. */
export const isViesCountry = (vatId: string): boolean => vatId.slice(0, 2) in SHAPES;

/**
 * What is known of a (normalized) id before any check: malformed ones are invalid, foreign and absent ones unchecked.
 */
export function vatIdStatusBeforeCheck(vatId: string | null): VatIdStatus {
  if (vatId === null || !/^[A-Z]{2}/.test(vatId)) return vatId === null ? 'unchecked' : 'invalid';
  return isViesCountry(vatId) && !isWellFormedVatId(vatId) ? 'invalid' : 'unchecked';
}

/** A sandbox never checks with VIES: well-formed ids are valid, but ending 000 invalid and ending 999 unavailable. */
export function sandboxVatIdStatus(vatId: string | null): VatIdStatus {
  const before = vatIdStatusBeforeCheck(vatId);
  if (vatId === null || before === 'invalid' || !isViesCountry(vatId)) return before;
  if (vatId.endsWith('000')) return 'invalid';
  return vatId.endsWith('999') ? 'unavailable' : 'valid';
}

/** Answer of VIES about one id. */
export type VatCheckOutcome = 'valid' | 'invalid' | 'unavailable';

export interface VatIdKnowledge {
  readonly vatIdStatus: VatIdStatus;
  readonly vatIdValidatedAt: Date | null;
}

/** What is known after a check at `now`. An outage is not "invalid": an earlier confirmation holds for 30 days. */
export function afterVatCheck(known: VatIdKnowledge, outcome: VatCheckOutcome, now: Date): VatIdKnowledge {
  if (outcome === 'valid') return { vatIdStatus: 'valid', vatIdValidatedAt: now };
  if (outcome === 'invalid') return { vatIdStatus: 'invalid', vatIdValidatedAt: null };
  const { vatIdValidatedAt } = known;
  const holds = vatIdValidatedAt !== null && now.getTime() - vatIdValidatedAt.getTime() <= VALID_DAYS * MS_PER_DAY;
  return holds ? { vatIdStatus: 'valid', vatIdValidatedAt } : { vatIdStatus: 'unavailable', vatIdValidatedAt: null };
}

/**
 * When an id is checked (again): a confirmed id five days before its confirmation runs out and then hourly, so that an
 * outage does not turn a business into a consumer; an unreachable VIES after an hour; a refused id never by itself.
 */
export function nextVatCheck(outcome: VatCheckOutcome, now: Date): Date | null {
  if (outcome === 'invalid') return null;
  return new Date(now.getTime() + (outcome === 'valid' ? (VALID_DAYS - 5) * MS_PER_DAY : 3_600_000));
}
