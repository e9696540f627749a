import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { eventOfType } from './index.js';

const folder = new URL('../published/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

describe('what was ever published can still be read', () => {
  it.each(files)('%s', (file) => {
    const definition = eventOfType(file.replace(/\.json$/, ''));
    expect(definition).toBeDefined();
    for (const example of JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown[])
      expect(definition?.check(example)).toBeUndefined();
  });
});
