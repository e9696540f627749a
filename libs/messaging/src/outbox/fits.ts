/** Whether a text has so many bytes at most in UTF-8, which has three for a unit of UTF-16 at most: most need not be counted. */
export const fits = (text: string, bytes: number): boolean =>
  text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes;
