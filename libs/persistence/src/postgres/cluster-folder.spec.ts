import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clusterFolder } from './cluster-folder.js';

describe('a data folder whose cluster lies elsewhere', () => {
  let parent: string;
  let dataDir: string;
  let home: string;
  let cluster: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'kontor-cluster-'));
    [dataDir, home] = [join(parent, 'data'), join(parent, 'home')];
    cluster = join(home, 'postgres');
    for (const folder of [dataDir, cluster]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(dataDir, 'postgres.location'), `${cluster}\n`);
    writeFileSync(join(home, 'data-dir'), dataDir);
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('has it, by whatever path it is reached, and after it was moved', () => {
    symlinkSync(dataDir, join(parent, 'link'));
    expect([clusterFolder(dataDir, null), clusterFolder(join(parent, 'link'), null)]).toEqual([cluster, cluster]);
    const moved = join(parent, 'moved');
    renameSync(dataDir, moved);
    expect(clusterFolder(moved, null)).toBe(cluster);
    expect(readFileSync(join(home, 'data-dir'), 'utf8')).toBe(moved);
  });

  it('is not shared by a copy of that folder, unless it was copied, too', () => {
    const copy = join(parent, 'copy');
    cpSync(dataDir, copy, { recursive: true });
    expect(() => clusterFolder(copy, null)).toThrow(`${copy} is a copy of ${dataDir}, but its database`);
    expect(clusterFolder(dataDir, null)).toBe(cluster);
    cpSync(home, join(parent, 'home-2'), { recursive: true });
    writeFileSync(join(copy, 'postgres.location'), join(parent, 'home-2', 'postgres'));
    expect(clusterFolder(copy, null)).toBe(join(parent, 'home-2', 'postgres'));
    expect(clusterFolder(dataDir, null)).toBe(cluster);
  });

  it('is refused where it is gone, instead of beginning with an empty one', () => {
    rmSync(home, { recursive: true });
    expect(() => clusterFolder(dataDir, null)).toThrow(/which is gone: restore it/);
  });
});

it('a data folder with a cluster that the server cannot reach is refused, instead of beginning with an empty one', () => {
  // As mkdtemp makes it, for its owner alone.
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-cluster-'));
  try {
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
    const { uid, gid } = statSync(dataDir);
    const another = { uid: uid + 1, gid: gid + 1 };
    expect(() => clusterFolder(dataDir, another)).toThrow(`cannot be reached by the user`);
    expect(readdirSync(dataDir)).toEqual(['postgres']);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
