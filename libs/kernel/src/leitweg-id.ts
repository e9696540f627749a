/**
 * Whether a text is a Leitweg-ID: the address of a German authority, of 2 to 12 digits, up to 30 letters and digits, and
 * two check digits by modulo 97-10 over the whole (letters count from 10 on).
 * @see KoSIT, Formatspezifikation Leitweg-ID; ISO 7064
 */
export function isLeitwegId(text: string): boolean {
  if (!/^\d{2,12}(-[A-Za-z0-9]{1,30})?-\d{2}$/.test(text)) return false;
  return remainder(text.replaceAll('-', '')) === 1;
}

function remainder(text: string): number {
  let rest = 0;
  for (const char of text.toUpperCase()) {
    const value = parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
