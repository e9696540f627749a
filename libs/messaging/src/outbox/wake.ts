import type { Tx } from '@kontor/kernel';
import { messagingHooks } from '../ports.js';

const relays = new Map<string, Set<() => void>>();

/** Registers what a relay of this process does when its service's outbox grew. Returns the cancellation. */
export function registerWaker(service: string, wake: () => void): () => void {
  const wakers = relays.get(service) ?? new Set();
  relays.set(service, wakers.add(wake));
  return () => wakers.delete(wake);
}

/**
 * Wakes the relay of `tx`'s service after its commit, in this process without any round trip. A NOTIFY inside the
 * transaction would serialize all commits of the server (it is used only where no commit hook is wired); a lost wake
 * costs one slow poll.
 */
export async function wakeRelay(tx: Tx): Promise<void> {
  const { afterCommit, serviceOf } = messagingHooks();
  if (!afterCommit) {
    await tx.query("SELECT pg_notify('outbox', '')");
    return;
  }
  const service = serviceOf?.(tx);
  afterCommit(tx, () => {
    const wakers =
      service === undefined ? [...relays.values()].flatMap((set) => [...set]) : [...(relays.get(service) ?? [])];
    for (const wake of wakers) wake();
  });
}
