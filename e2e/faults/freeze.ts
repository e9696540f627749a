import { Frozen } from '../support/processes.js';
import type { Fault } from './strike.js';

/** SIGSTOP, and SIGCONT: connections are kept, nothing is answered. */
export function freezing(name: string, pids: () => readonly number[]): Fault {
  let frozen: Frozen | undefined;
  return {
    name: `${name} stands still`,
    begin: () => void (frozen = Frozen.freeze(pids())),
    end: () => frozen?.thaw(),
  };
}
