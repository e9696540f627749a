import { describe, expect, it } from '@jest/globals';
import { runOnce } from '../src/uploads/run-once.js';

describe('a thread that looks at an upload', () => {
  it('has an end of memory also where that is outside of its heap', async () => {
    const hungry = new URL('./support/hungry-worker', import.meta.url);
    await expect(runOnce(hungry, null, 500_000)).rejects.toMatchObject({ name: 'ThreadLimit', of: 'memory' });
    expect(process.memoryUsage().rss).toBeLessThan(2_000 * 1024 * 1024);
  });
});
