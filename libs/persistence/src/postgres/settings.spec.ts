import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { SETTINGS } from './settings.js';

/** What belongs to one machine: where the embedded one listens, how much memory there is, and that nobody copies it. */
const OF_THE_MACHINE = [
  'listen_addresses',
  'unix_socket_directories',
  'shared_buffers',
  'wal_level',
  'max_wal_senders',
];

it('the PostgreSQL of the compose file has the same settings', () => {
  const compose = readFileSync(join(import.meta.dirname, '../../../../docker-compose.yml'), 'utf8');
  const given = Object.fromEntries(
    [...compose.matchAll(/^ +- -c(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
  );
  const shared = Object.entries(SETTINGS).filter(([name]) => !OF_THE_MACHINE.includes(name));
  expect(given).toEqual({ ...Object.fromEntries(shared), shared_buffers: '1GB' });
  expect(compose).toMatch(/^ {4}shm_size: 256mb$/m);
});
