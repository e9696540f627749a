import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A third of an equal's share where cores are short: what is rendered goes on, and in time. */
const BEHIND_OTHERS = 5;

/**
 * Lets requests, consumers and the database go before the calling thread where cores are short. Linux knows priorities of threads;
 * elsewhere they share alike.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    const [pid, , thread] = readlinkSync('/proc/thread-self').split('/');
    if (Number(pid) === process.pid) setPriority(Number(thread), BEHIND_OTHERS);
  } catch {
    // It may not, or /proc is not there.
  }
}
