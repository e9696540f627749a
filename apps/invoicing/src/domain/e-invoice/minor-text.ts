/** Minor units as a decimal text: `-12.05`. */
export function minorText(minor: number, scale: number): string {
  const digits = String(Math.abs(minor)).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return minor < 0 ? `-${text}` : text;
}
