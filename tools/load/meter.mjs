import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const TICKS = 100;

/** CPU time of this process and its PostgreSQL server; of this process alone where there is no /proc. */
export class Meter {
  #cluster;

  constructor(dataDir) {
    const note = join(dataDir, 'postgres.location');
    this.#cluster = existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
  }

  async measure(work) {
    const [began, cpu] = [performance.now(), this.#cpuMs()];
    await work();
    return { seconds: (performance.now() - began) / 1000, cpuMs: this.#cpuMs() - cpu };
  }

  databaseMb() {
    return Math.round(sizeOf(join(this.#cluster, 'base')) / 1e6);
  }

  #cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000 + this.#serverMs();
  }

  /** Of the postmaster, what it has started, and what of it has ended. */
  #serverMs() {
    const [postmaster] = readFileSync(join(this.#cluster, 'postmaster.pid'), 'utf8').split('\n');
    if (!existsSync('/proc/self/stat')) return 0;
    let ticks = 0;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const fields = statOf(pid);
      if (pid === postmaster) ticks += sum(fields.slice(11, 15));
      else if (fields[1] === postmaster) ticks += sum(fields.slice(11, 13));
    }
    return (ticks * 1000) / TICKS;
  }
}

/** Fields from the state on; none when the process has ended meanwhile. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
  } catch {
    return [];
  }
}

const sum = (texts) => texts.reduce((total, text) => total + Number(text), 0);

function sizeOf(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
