import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { atProcessEnd, eventually, freePort } from '@kontor/testing';
import { System } from './support/system.js';

/** Processes that name the folder: the system and its database server. */
const processesOf = (folder: string): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });

let system: System;
beforeAll(async () => void (system = await System.embedded()));
afterAll(() => system?.stop());

it('ends with its database when its terminal is closed', async () => {
  process.kill(system.connection.pid, 'SIGHUP');
  await eventually(() => processesOf(system.dataDir).length === 0, 'nothing of it runs');
  expect(await system.end()).toBe(0);
});

it('SIGTERM ends it, whatever clients hold open and also when its data folder is gone', async () => {
  if (system.hasEnded) await system.start();
  try {
    for (const begin of ['', 'GET / HTTP']) {
      const socket = connect(system.port, '127.0.0.1', () => socket.write(begin)).on('error', () => undefined);
    }
    expect((await system.api.get('/tenant')).status).toBe(200);
    // It may write a file meanwhile.
    await rm(system.dataDir, { recursive: true, force: true, maxRetries: 20 });
    expect(await system.end()).toBe(0);
    await eventually(() => processesOf(system.dataDir).length === 0, 'nothing of it runs');
  } finally {
    system.kill();
  }
});

it('SIGTERM to npm alone ends what `npm start` had started', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-e2e-'));
  const npm = spawn('npm', ['start', '--ignore-scripts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()), NODE_OPTIONS: '' },
    stdio: 'ignore',
  });
  const ended = new Promise((done) => npm.once('exit', done));
  atProcessEnd(async () => void npm.kill('SIGKILL'));
  try {
    const file = join(dataDir, 'connection.json');
    await eventually(() => existsSync(file), 'it is ready');
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
    npm.kill('SIGTERM');
    await ended;
    await eventually(() => !existsSync(`/proc/${pid}`), 'it ends');
    expect([existsSync(file), processesOf(dataDir)]).toEqual([false, []]);
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
  }
});
