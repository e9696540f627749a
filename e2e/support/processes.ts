import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of one service of a distributed system, found by its entry file and data folder. */
export function pidsOf(service: string, dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`apps/${service}/dist/main.js`) &&
          readFileSync(`/proc/${name}/environ`, 'utf8').includes(dataDir)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Ends the processes as a crash would. Fails when there is none, so that a scenario cannot pass without its crash. */
export function killService(service: string, dataDir: string): void {
  const pids = pidsOf(service, dataDir);
  if (pids.length === 0) throw new Error(`no process of ${service} to kill`);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/** A process and everything that it started. */
export function treeOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children.flatMap((name) => treeOf(Number(name)))];
}

function parentOf(pid: string): number | undefined {
  try {
    // The name, in parentheses, may hold anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** What a process was started with; empty when it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** False when it has ended: a server's sessions come and go while they are listed. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

/** Stands still until `thaw`, with connections open and nothing answered. */
export class Frozen {
  private constructor(private readonly pids: readonly number[]) {}

  /** Fails when there is none, so that a scenario cannot pass without its fault. */
  static freeze(pids: readonly number[]): Frozen {
    const frozen = pids.filter((pid) => signalled(pid, 'SIGSTOP'));
    if (frozen.length === 0) throw new Error('no process to stop');
    return new Frozen(frozen);
  }

  thaw(): void {
    for (const pid of this.pids) signalled(pid, 'SIGCONT');
  }
}
