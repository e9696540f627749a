import { beforeEach, describe, expect, it } from '@jest/globals';
import { RenewedAnswers } from './renewed-answers.js';

class Gone extends Error {}

describe('renewed answers', () => {
  let now: number;
  let asked: { resolve: (answer: string) => void; reject: (error: Error) => void }[];
  let answers: RenewedAnswers<string>;
  const ask = (): Promise<string> => new Promise((resolve, reject) => void asked.push({ resolve, reject }));
  const get = (): Promise<string> | undefined => answers.get('key', ask);
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(async () => {
    now = 0;
    asked = [];
    const isFinal = (error: unknown): boolean => error instanceof Gone;
    answers = new RenewedAnswers({ maxEntries: 10, lifeMs: 900, renewAfterMs: 450, isFinal, now: () => now });
    answers.keep('key', Promise.resolve('first'));
    await settle();
  });

  it('are asked for again while the former one still counts, once', async () => {
    now = 400;
    expect(await get()).toBe('first');
    expect(asked).toHaveLength(0);
    now = 500;
    for (let n = 0; n < 3; n++) expect(await get()).toBe('first');
    expect(asked).toHaveLength(1);
    now = 600;
    asked[0]!.resolve('second');
    await settle();
    expect(await get()).toBe('second');
  });

  it('count from when they were asked for, however long that took', async () => {
    now = 500;
    void get();
    now = 899;
    asked[0]!.resolve('second');
    await settle();
    now = 1_399;
    expect(await get()).toBe('second');
    now = 1_400;
    expect(get()).toBeUndefined();
  });

  it('end with a final failure, and not with another', async () => {
    now = 500;
    void get();
    asked[0]!.reject(new Error('away'));
    await settle();
    expect(await get()).toBe('first');
    expect(asked).toHaveLength(1);
    answers.keep('key', Promise.resolve('later'));
    await settle();
    now = 1_000;
    void get();
    asked[1]!.reject(new Gone());
    await settle();
    expect(get()).toBeUndefined();
  });

  it('are not asked for a second time before the first one has come', async () => {
    answers.keep('slow', new Promise(() => undefined));
    now = 800;
    void answers.get('slow', ask);
    expect(asked).toHaveLength(0);
  });

  it('that failed at first are kept for nobody', async () => {
    const failed = Promise.reject(new Error('away'));
    answers.keep('other', failed);
    await expect(failed).rejects.toThrow('away');
    expect(answers.get('other', ask)).toBeUndefined();
  });
});
