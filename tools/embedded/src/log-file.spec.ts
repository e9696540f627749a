import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@kontor/service-kit';
import { eventually } from '@kontor/testing';
import { CannotStart } from './data-folder.js';
import { openLogFile } from './log-file.js';

describe('the log file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-log-'));
  const path = join(folder, 'kontor.log');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is set aside while it is written when it has grown large, and no line is lost', async () => {
    const file = openLogFile(folder, { largeBytes: 20_000, lookMs: 20 });
    const log = createLog('billing', 'info', file.stream);
    for (let n = 0; n < 30; n++) log.info({ n }, 'x'.repeat(1000));
    await eventually(() => existsSync(`${path}.1`), 'the large file is set aside');
    log.info({}, 'afterwards');
    await eventually(() => existsSync(path) && readFileSync(path, 'utf8').includes('afterwards'), 'a new file');
    await file.close();
    // A service that did not come up has something to say while all others have ended.
    expect(() => log.error({}, 'too late')).not.toThrow();
    const lines = [`${path}.1`, path].flatMap((name) => readFileSync(name, 'utf8').trim().split('\n'));
    expect(lines.length).toBe(31);
  });

  it('is refused where it is a folder, before anything is written to it', () => {
    const apart = mkdtempSync(join(folder, 'folder-'));
    mkdirSync(join(apart, 'kontor.log'));
    expect(() => openLogFile(apart)).toThrow(CannotStart);
  });

  it('goes on as it is while it cannot be set aside, and is later', async () => {
    const apart = mkdtempSync(join(folder, 'apart-'));
    const [named, aside] = [join(apart, 'kontor.log'), join(apart, 'kontor.log.1')];
    mkdirSync(join(aside, 'in the way'), { recursive: true });
    const file = openLogFile(apart, { largeBytes: 20_000, lookMs: 5 });
    const log = createLog('billing', 'info', file.stream);
    for (let n = 0; n < 30; n++) log.info({ n }, 'z'.repeat(1000));
    await eventually(() => (statSync(named, { throwIfNoEntry: false })?.size ?? 0) > 20_000, 'it has grown large');
    await setTimeout(50);
    rmSync(aside, { recursive: true });
    await eventually(() => existsSync(aside), 'it is set aside');
    await file.close();
  });

  it.each([
    ['moved', (from: string, to: string) => renameSync(from, to)],
    ['removed', (from: string) => rmSync(from)],
  ])('is begun anew when somebody has %s it', async (_what, take) => {
    const apart = mkdtempSync(join(folder, 'taken-'));
    const named = join(apart, 'kontor.log');
    const file = openLogFile(apart, { lookMs: 5 });
    const log = createLog('billing', 'info', file.stream);
    log.info({}, 'before');
    await eventually(() => existsSync(named) && readFileSync(named, 'utf8').includes('before'), 'it is written');
    take(named, join(apart, 'rotated'));
    await eventually(() => existsSync(named), 'a new file');
    await setTimeout(50);
    log.info({}, 'afterwards');
    await eventually(() => readFileSync(named, 'utf8').includes('afterwards'), 'it goes on there');
    expect(readFileSync(named, 'utf8')).not.toContain('before');
    expect(statSync(named).mode & 0o777).toBe(0o600);
    await file.close();
  });

  it('takes only so much of a full disk, and says what it left out', async () => {
    const file = openLogFile(folder, { sparingBytes: 5_000 });
    const log = createLog('billing', 'info', file.stream);
    file.spare(true);
    for (let n = 0; n < 30; n++) log.info({ n }, 'y'.repeat(1000));
    file.spare(false);
    log.info({}, 'room again');
    await file.close();
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(lines.filter((line) => line.includes('yyy')).length).toBe(4);
    expect(lines.find((line) => line.includes('left out'))).toContain('"leftOut":26');
    expect(lines.at(-1)).toContain('room again');
  });
});
