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
