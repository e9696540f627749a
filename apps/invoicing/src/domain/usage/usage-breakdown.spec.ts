import { expect, it } from '@jest/globals';
import { sampleSnapshot } from '../../pdf/sample-snapshot.js';
import { withUsageLink } from './usage-breakdown.js';

it('the link to the page about usage ends the closing text of a document that has one', () => {
  const snapshot = sampleSnapshot(1);
  const url = 'https://bills.example/public/usage/abc';
  expect(withUsageLink(snapshot, null)).toBe(snapshot);
  expect(withUsageLink(snapshot, url).texts.closing).toBe(
    `${snapshot.texts.closing}\nIhr Verbrauch im Einzelnen, Tag für Tag: ${url}`,
  );
  const bare = { ...snapshot, language: 'en' as const, texts: { ...snapshot.texts, closing: null } };
  expect(withUsageLink(bare, url).texts.closing).toBe(`Your usage in detail, day by day: ${url}`);
});
