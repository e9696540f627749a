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
  const failure = 'The installation failed: see the lines above; the package registry must be reachable.';
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Exactly the lock file either way; what is installed already need not be fetched again.
  const isFresh = !existsSync(join(root, 'node_modules'));
  run('npm', isFresh ? ['ci', ...flags] : ['install', '--no-save', ...flags], failure);
  writeFileSync(stamp, '');
}
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
run(
  existsSync(node) ? node : process.execPath,
  ['node_modules/typescript7/bin/tsc', '-b'],
  'The build failed: see the lines above.',
);
