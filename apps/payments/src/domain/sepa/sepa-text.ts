/**
 * Characters that every bank of the SEPA area accepts: letters without accents, digits and a few signs.
 * @see EPC217-08, SEPA Requirements for an Extended Character Set
 */
const ALLOWED = /[^A-Za-z0-9/\-?:().,'+ ]/gu;

const WORDS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  å: 'a',
  Å: 'A',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '&': '+',
  '@': '(at)',
  _: '-',
  '{': '(',
  '}': ')',
  '[': '(',
  ']': ')',
  '€': 'EUR',
  '“': "'",
  '”': "'",
  '„': "'",
  '"': "'",
  '’': "'",
  '‘': "'",
  '`': "'",
  '´': "'",
  '–': '-',
  '—': '-',
  '‑': '-',
  '…': '...',
  ';': ',',
  '!': '.',
  '*': '.',
  '#': '.',
  '%': '.',
  $: '.',
  '=': '-',
  '~': '-',
  '\\': '/',
  '|': '/',
  '<': '(',
  '>': ')',
};

/**
 * Text as a bank accepts it: umlauts written out, accents dropped, other signs replaced, blanks single. What cannot be
 * written at all (another script) becomes a dot each; the result has at most `limit` characters.
 */
export function sepaText(text: string, limit: number): string {
  const written = [...text.normalize('NFC')].map((char) => WORDS[char] ?? char).join('');
  const plain = written
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(ALLOWED, '.')
    .replace(/ +/g, ' ')
    .trim();
  return plain.slice(0, limit).trim();
}

/** A text that has to be there: a dash where nothing of it can be written. A leading or double slash confuses banks. */
export const requiredSepaText = (text: string, limit: number): string =>
  sepaText(text, limit)
    .replace(/^\/+/, '')
    .replace(/\/{2,}/g, '/')
    .trim() || '-';
