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

  it('cannot be moved, changed, or opened with another key', () => {
    const sealed = box.seal('whsec_1', 'endpoint-1');
    expect(() => box.open(sealed, 'endpoint-2')).toThrow();
    expect(() => box.open(`${sealed.slice(0, -3)}abc`, 'endpoint-1')).toThrow();
    expect(() => new SecretBox(randomBytes(32)).open(sealed, 'endpoint-1')).toThrow(/sealed under key/);
  });
});
