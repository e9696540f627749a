import { describe, expect, it } from '@jest/globals';
import { createLog } from './log.js';

describe('an error in the log', () => {
  const logged = (error: unknown): { text: string; err: Record<string, unknown> } => {
    let text = '';
    createLog('billing', 'info', { write: (line: string) => void (text += line) }).warn({ err: error }, 'failed');
    return { text, err: (JSON.parse(text) as { err: Record<string, unknown> }).err };
  };

  it('has its causes, and nothing of what was sent or answered', () => {
    const answered = Object.assign(new Error('the answer is none'), { cause: { body: { access_token: 'at-1' } } });
    const error = Object.assign(new Error('refused', { cause: answered }), { code: 'REFUSED', client: { key: 'k-1' } });
    const { text, err } = logged(error);
    expect(err).toMatchObject({ code: 'REFUSED', message: 'refused', cause: { message: 'the answer is none' } });
    expect([text.includes('at-1'), text.includes('k-1')]).toEqual([false, false]);
    expect(logged({ access_token: 'at-2' }).text).not.toContain('at-2');
  });

  it('is no longer than what helps, whatever somebody else has put into it', () => {
    expect(logged(new Error('x'.repeat(1_000_000))).text.length).toBeLessThan(20_000);
    const endless = new Error('again');
    endless.cause = endless;
    expect(logged(endless).err).toMatchObject({ cause: { cause: { message: 'again' } } });
  });
});
