import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import type { Answer, Json } from './support/api.js';
import { invariants } from './support/invariants.js';
import { postgresServer } from './support/postgres-server.js';
import { SmallDisk } from './support/small-disk.js';
import { System } from './support/system.js';

const onDisk = SmallDisk.canBe() ? describe : describe.skip;

// Skipped where file systems cannot be mounted (no root).
onDisk('a full disk', () => {
  const begun = new AsyncDisposableStack();
  let disk: SmallDisk;
  let system: System;
  beforeAll(async () => {
    disk = SmallDisk.mount('900m')!;
    begun.defer(() => disk.unmount());
    system = await System.embeddedIn(join(disk.folder, 'data'));
    begun.defer(() => system.stop());
  });
  afterAll(() => begun.disposeAsync());

  it('stops writes, not reads, is shown, and heals by itself; what was accepted is there', async () => {
    const { api } = system;
    const made: string[] = [];
    const create = (): Promise<Answer<Json>> =>
      api.send('POST', '/customers', { email: 'a@full.example', companyName: 'Full GmbH' });
    const write = async (): Promise<Answer<Json>> => {
      const answer = await create();
      if (answer.status < 300) made.push(answer.body.id);
      return answer;
    };
    const health = async (): Promise<Answer<Json>> => api.send('GET', '/health');
    expect((await write()).status).toBe(201);

    let filling = true;
    const writing = (async () => {
      while (filling) await write();
    })();
    disk.fill();
    const refused = await eventually(async () => {
      const answer = await create();
      return answer.status === 507 ? answer : undefined;
    }, 'writes are refused');
    expect(refused.body).toMatchObject({ status: 507, reason: 'storage_full' });
    expect(refused.headers.get('retry-after')).toBe('30');
    await eventually(async () => (await health()).body.status === 'read_only', 'health says that only reading goes on');
    expect((await health()).status).toBe(200);
    expect(system.log()).toMatch(
      /The disk of .* is full .*: reading goes on, writes are refused until there is room\./,
    );
    // The ballast was removed: a database that ends now has the room that its recovery needs.
    await eventually(() => !existsSync(join(system.dataDir, 'storage.reserve')), 'the ballast is removed');
    const former = postgresServer(system.dataDir)!.pid;
    process.kill(former, 'SIGKILL');
    await eventually(() => (postgresServer(system.dataDir)?.pid ?? former) !== former, 'a restart');
    await eventually(async () => (await health()).body.status === 'read_only', 'reading goes on');
    // Somebody takes that room as well.
    disk.fill();
    for (let i = 0; i < 50; i++) {
      expect((await api.send('GET', `/customers/${made[i % made.length]}`)).status).toBe(200);
      expect((await create()).status).toBe(507);
    }
    filling = false;
    await writing;

    disk.makeRoom();
    await eventually(async () => (await write()).status === 201, 'writes are accepted again');
    await eventually(async () => (await health()).body.status === 'ready', 'health says that all is well');
    expect(system.log()).toContain('There is room on the disk again');
    await eventually(
      () => readFileSync(join(system.dataDir, 'kontor.log'), 'utf8').includes('There is room on the disk again'),
      'the log file goes on',
    );
    for (const id of made) expect((await api.send('GET', `/customers/${id}`)).status).toBe(200);
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });

    // Stopping ends, too, when the log has no room.
    disk.fill();
    await eventually(async () => (await create()).status === 507, 'the disk is full again');
    expect(await system.end()).toBe(0);
  });
});
