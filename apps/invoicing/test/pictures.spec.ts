import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { render } from '../src/pdf/render.js';
import { differences, firstPage, type GrayPicture, pngOf, readPng } from './support/gray-picture.js';
import { sampleKinds } from './support/sample-kinds.js';

const KEPT = join(import.meta.dirname, 'pictures');
const withPoppler = spawnSync('pdftoppm', ['-v']).status === 0 ? it : it.skip;

/** Each kind of document beside its picture, which somebody has looked at. `KEEP_PICTURES=1` draws them anew. */
describe('what documents look like', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-pictures-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function pictureOf(name: string): Promise<GrayPicture> {
    const snapshot = sampleKinds.find(([known]) => known === name)?.[1];
    if (!snapshot) throw new Error(`there is no ${name}`);
    const pdf = join(folder, `${name}.pdf`);
    writeFileSync(pdf, await render(snapshot));
    return firstPage(pdf);
  }

  withPoppler.each(sampleKinds.map(([name]) => name))('%s looks as it did', async (name) => {
    const drawn = await pictureOf(name);
    const kept = join(KEPT, `${name}.png`);
    if (process.env['KEEP_PICTURES'] === '1') writeFileSync(kept, pngOf(drawn));
    expect(differences(drawn, readPng(readFileSync(kept)))).toEqual([]);
  });

  withPoppler('one kind differs from another', async () => {
    const invoice = await pictureOf('invoice-de');
    expect(differences(invoice, readPng(readFileSync(join(KEPT, 'cancellation-de.png')))).length).toBeGreaterThan(20);
  });

  it('keeps no other pictures', () =>
    expect(readdirSync(KEPT).sort()).toEqual(sampleKinds.map(([name]) => `${name}.png`).sort()));
});
