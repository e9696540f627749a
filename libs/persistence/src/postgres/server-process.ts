import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import pg from 'pg';
import type { ServerUser } from './server-user.js';

/** The server cannot be started. The message is one line that says what to do. */
export class PostgresStartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PostgresStartError';
  }
}

export const executable = (name: string): string => (process.platform === 'win32' ? `${name}.exe` : name);

/** A fixed, small environment: no LANG that is not installed, no PG* variables of the machine. */
export const spawnOptions = (user: ServerUser | null, cwd: string) => ({
  cwd,
  env: {
    PATH: process.env['PATH'] ?? '',
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {}),
  },
  ...(user ? { uid: user.uid, gid: user.gid } : {}),
});

const INVALID_PASSWORD = '28P01';

/**
 * Whether a server accepts a session and answers.
 * @throws PostgresStartError when it refuses the password: waiting would not help.
 */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === INVALID_PASSWORD)
      throw new PostgresStartError(
        'The file postgres.password of the data folder is not the one that this database was made with: restore it.',
      );
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Sends a signal to a process that may be gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}

const failureOf = (command: string, stderr: string): string =>
  /no space left on device|disk quota exceeded/i.test(stderr)
    ? 'The disk is full: make room where the data folder is, then start again.'
    : `${command} failed: ${stderr.trim().replaceAll('\n', ' ')}`;

/** Runs a program of the server to its end. @throws PostgresStartError with what it said. */
export function run(command: string, args: string[], user: ServerUser | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...spawnOptions(user, dirname(command)),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new PostgresStartError(failureOf(command, stderr)))));
  });
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
