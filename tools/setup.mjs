// Runs before every npm script on whatever Node the machine has: installs when node_modules is missing or older than the
// lockfile, then builds what changed. Plain JavaScript without dependencies, because nothing may be installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.kontor-installed');
const changedAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

function run(command, args, failure) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    console.error(failure);
    process.exit(1);
  }
}

if (changedAt(stamp) < changedAt(join(root, 'package-lock.json'))) {
  console.error('Installing dependencies (once, about a minute) …');
  // Not "npm ci": it refuses a lockfile that lacks other platforms' optional binaries, and those differ from registry to registry.
  const failure = 'npm install failed: see the lines above; the package registry must be reachable.';
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], failure);
  writeFileSync(stamp, '');
}
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
run(
  existsSync(node) ? node : process.execPath,
  ['node_modules/typescript7/bin/tsc', '-b'],
  'The build failed: see the lines above.',
);
