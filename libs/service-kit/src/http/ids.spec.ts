import { describe, expect, it } from '@jest/globals';
import { traceIdOf, traceparentFrom } from './ids.js';

const FORM = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

describe('the trace of a request', () => {
  it('is begun when the caller has none, each with ids of its own', () => {
    const made = Array.from({ length: 1000 }, () => traceparentFrom(undefined));
    for (const traceparent of made) expect(traceparent).toMatch(FORM);
    expect(new Set(made.map(traceIdOf)).size).toBe(1000);
    expect(new Set(made.map((traceparent) => traceparent.slice(36, 52))).size).toBe(1000);
  });

  it("goes on with the caller's trace, in a span of its own", () => {
    const theirs = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    const ours = traceparentFrom(theirs);
    expect(ours).toMatch(FORM);
    expect(traceIdOf(ours)).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(ours.slice(36, 52)).not.toBe('b7ad6b7169203331');
    expect(ours.slice(-3)).toBe('-00');
  });

  it.each(['', '00-xyz', '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 7])(
    'is begun beside %p',
    (header) => {
      expect(traceparentFrom(header)).toMatch(FORM);
    },
  );
});
