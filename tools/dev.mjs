// `npm run dev`: builds on every change and restarts the embedded system.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const children = [
  spawn(process.execPath, ['node_modules/typescript7/bin/tsc', '-b', '--watch', '--preserveWatchOutput'], {
    cwd: root,
    stdio: 'inherit',
  }),
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'tools/embedded/dist/main.js'], {
    cwd: root,
    stdio: 'inherit',
  }),
];
const stop = () => children.forEach((child) => child.kill('SIGTERM'));
process.on('SIGINT', stop).on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
