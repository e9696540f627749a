import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const CACHE = join(import.meta.dirname, '..', '..', '.cache', 'schemathesis');

/** The program `st` in an environment of its own, made at the first use; a text that says what is missing where that fails. */
export async function installSchemathesis(): Promise<{ st: string } | { missing: string }> {
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const home = join(CACHE, wanted);
  const st = join(home, 'bin', 'st');
  if (existsSync(st)) return { st };
  try {
    await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 10), "Python 3.10 or newer is needed"']);
    await run('python3', ['-m', 'venv', home]);
    await run(join(home, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', '--no-deps', '-r', REQUIREMENTS]);
    return { st };
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    return { missing: `schemathesis cannot be installed: ${(error as Error).message.trim().split('\n').at(-1)}` };
  }
}
