import { readFileSync } from 'node:fs';

const SIGHUP_BIT = 1n;

/** `nohup` has a process ignore that its terminal was closed; listening would undo that. Unknown counts as ignored. */
function ignoresHangup(): boolean {
  try {
    const [, mask = '1'] = /^SigIgn:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (BigInt(`0x${mask}`) & SIGHUP_BIT) !== 0n;
  } catch {
    return true;
  }
}

const NPM_SCRIPTS = ['start', 'stack'];
const LOOK_MS = 500;

/** npm passes SIGTERM to the shell of its script alone, which ends and leaves behind what it had started. */
function whenShellEnds(end: () => void): void {
  if (!NPM_SCRIPTS.includes(process.env['npm_lifecycle_event'] ?? '')) return;
  const { ppid } = process;
  const look = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(look);
    end();
  }, LOOK_MS).unref();
}

/** Ctrl-C, SIGTERM, a terminal that was closed, and output that nobody reads any more: what was started must not be left behind. */
export function whenAskedToEnd(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  if (!ignoresHangup()) process.on('SIGHUP', end);
  whenShellEnds(end);
  process.stdout.on('error', end);
  process.stderr.on('error', end);
}
