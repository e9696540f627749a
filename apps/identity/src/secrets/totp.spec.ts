import { describe, expect, it } from '@jest/globals';
import { base32, stepOfCode, totpCode, totpStep, totpUri } from './totp.js';

/** RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890');

describe('codes of an app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d s: %s', (seconds, code) => expect(totpCode(SECRET, totpStep(new Date(seconds * 1000)))).toBe(code));

  it('count one step early and late, and no further', () => {
    const at = new Date(1_234_567_890_000);
    const now = totpStep(at);
    for (const [step, expected] of [
      [-2, null],
      [-1, now - 1],
      [0, now],
      [1, now + 1],
      [2, null],
    ] as const)
      expect([step, stepOfCode(SECRET, totpCode(SECRET, now + step), at)]).toEqual([step, expected]);
  });

  it.each(['', '12345', '1234567', '28708a', '２８７０８２'])('%j is none', (code) =>
    expect(stepOfCode(SECRET, code, new Date(59_000))).toBeNull(),
  );

  it('are made of what a QR code says', () => {
    expect(base32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(totpUri(SECRET, 'ada@x.example', 'Kontor')).toBe(
      'otpauth://totp/Kontor:ada%40x.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Kontor',
    );
  });
});
