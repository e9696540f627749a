import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
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
