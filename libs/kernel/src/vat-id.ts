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

/** An id without the blanks, dots and dashes that people write into it, in upper case. */
export const normalizeVatId = (vatId: string): string => vatId.replace(/[\s.\-/]/g, '').toUpperCase();

/** True when VIES can check the id: the prefix is a state that it knows and the rest has that state's form. */
export function isWellFormedVatId(vatId: string): boolean {
  const shape = SHAPES[vatId.slice(0, 2)];
  return shape?.test(vatId.slice(2)) ?? false;
}

/** True when the prefix is a state that VIES answers for. Ids of other countries stay `unchecked`. */
export const isViesCountry = (vatId: string): boolean => vatId.slice(0, 2) in SHAPES;

/** False where somebody has mistyped it: there is no country in front, or the rest has not that state's form. */
export function canBeVatId(vatId: string): boolean {
  return /^[A-Z]{2}/.test(vatId) && (!isViesCountry(vatId) || isWellFormedVatId(vatId));
}
