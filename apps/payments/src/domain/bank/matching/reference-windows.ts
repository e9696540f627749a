const MAX_TOKENS = 5;
const MIN_LENGTH = 3;
const MAX_LENGTH = 40;

/** A piece of a text that may be a document's number: the tokens `from` to `to` written together. */
export interface Window {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** A document's number as it is compared: upper case letters and digits alone (the column `document_key`). */
export const keyOf = (number: string): string => number.replace(/[^0-9A-Za-z]/g, '').toUpperCase();

/** How a number looks: letters and digits by their kind. */
export const shapeOf = (key: string): string => key.replace(/\d/g, '9').replace(/[A-Z]/g, 'A');

/** Recognizes what looks like one of these numbers; the length decides nearly always. */
export function looksLike(shapes: Iterable<string>): (key: string) => boolean {
  const known = new Set(shapes);
  const lengths = new Set([...known].map((shape) => shape.length));
  return (key) => lengths.has(key.length) && known.has(shapeOf(key));
}

/** The reference of a top-up, `TU-3104D59E7A`. */
export const isTopUpKey = (key: string): boolean => /^TU[0-9A-F]{10}$/.test(key);

/** An id of ours, without dashes. */
export const isIdKey = (key: string): boolean => key.length === 32 && /^[0-9A-F]+$/.test(key);

/**
 * Everything in a text that may be a number of ours, however it is written: `RE-2026-00017`, `re 2026/00017`, broken
 * over two lines, or glued to a word (`RechnungRE202600017`). Compared are upper case letters and digits alone.
 */
export function windowsOf(text: string): Window[] {
  const tokens = text
    .toUpperCase()
    .split(/[^0-9A-ZÄÖÜ]+/)
    .filter((token) => token !== '');
  const windows: Window[] = [];
  tokens.forEach((first, from) => {
    for (const start of startsOf(first)) {
      let key = '';
      for (let to = from; to < tokens.length && to < from + MAX_TOKENS; to++) {
        key += to === from ? start : tokens[to]!;
        if (key.length > MAX_LENGTH) break;
        if (key.length >= MIN_LENGTH && /\d/.test(key)) windows.push({ key, from, to });
      }
    }
  });
  return windows;
}

/** The token, and what remains of it without a word that was written in front of the number. */
function startsOf(token: string): string[] {
  const letters = /^[A-ZÄÖÜ]{3,}(?=\d)/.exec(token)?.[0].length ?? 0;
  const shorter =
    letters === 0 ? [] : [0, 1, 2, 3, 4].filter((kept) => kept < letters).map((kept) => token.slice(letters - kept));
  return [token, ...shorter];
}
