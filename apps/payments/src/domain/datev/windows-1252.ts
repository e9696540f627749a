/** What lies between 0x80 and 0x9f; everything else below 0x100 is Latin-1. */
const SPECIAL = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Text in the encoding that DATEV reads; letters that it lacks lose their accents, other characters become `?`. */
export function windows1252(text: string): Buffer {
  const bytes: number[] = [];
  for (const char of text.normalize('NFC')) bytes.push(byteOf(char) ?? byteOf(char.normalize('NFD').charAt(0)) ?? 0x3f);
  return Buffer.from(bytes);
}

function byteOf(char: string): number | undefined {
  const code = char.codePointAt(0) as number;
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
  const at = SPECIAL.indexOf(char);
  return at < 0 || (code >= 0x80 && code <= 0x9f) ? undefined : 0x80 + at;
}
