import { canBeVatId, isViesCountry } from '@kontor/kernel';

export type VatIdStatus = 'unchecked' | 'valid' | 'invalid' | 'unavailable';

/** Days that a confirmed id stays `valid` while VIES cannot be reached. */
export const VALID_DAYS = 30;
const MS_PER_DAY = 86_400_000;

/**
 * What is known of a (normalized) id before any check: malformed ones are invalid, foreign and absent ones unchecked.
 */
export function vatIdStatusBeforeCheck(vatId: string | null): VatIdStatus {
  return vatId === null || canBeVatId(vatId) ? 'unchecked' : 'invalid';
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
