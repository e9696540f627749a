import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { SecretBox } from './secret-box.js';

describe('sealed secrets', () => {
  const box = new SecretBox(randomBytes(32));

  it('open again, each sealed differently', () => {
    const sealed = box.seal('whsec_1', 'endpoint-1');
    expect(sealed).not.toContain('whsec_1');
    expect(box.seal('whsec_1', 'endpoint-1')).not.toBe(sealed);
    expect(box.open(sealed, 'endpoint-1')).toBe('whsec_1');
  });

  it('open under a new key while the old one is known, and without it once they are wrapped anew', () => {
    const [older, old, present] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const sealed = [new SecretBox(older).seal('a', 'row'), new SecretBox(old).seal('b', 'row')];
    const during = new SecretBox(present, [old, older]);
    expect(sealed.map((text) => during.open(text, 'row'))).toEqual(['a', 'b']);
    const after = new SecretBox(present);
    for (const text of sealed) expect(() => after.open(text, 'row')).toThrow(/sealed under key/);
    const wrapped = sealed.map((text) => during.rewrap(text));
    expect(wrapped.map((text) => after.open(text, 'row'))).toEqual(['a', 'b']);
    expect(wrapped.every((text) => text.startsWith(after.prefix))).toBe(true);
    expect(() => after.open(wrapped[0]!, 'another row')).toThrow();
    expect(() => after.rewrap(sealed[0]!)).toThrow(/sealed under key/);
  });

  it('cannot be moved, changed, or opened with another key', () => {
    const sealed = box.seal('whsec_1', 'endpoint-1');
    expect(() => box.open(sealed, 'endpoint-2')).toThrow();
    expect(() => box.open(`${sealed.slice(0, -3)}abc`, 'endpoint-1')).toThrow();
    expect(() => new SecretBox(randomBytes(32)).open(sealed, 'endpoint-1')).toThrow(/sealed under key/);
  });
});
