const LIMIT_MS = 60_000;

/** Ends this process after `stop`; when that fails, or takes longer than anything that it may wait for, without it. */
export function endProcess(stop: () => Promise<unknown>, code = 0, limitMs = LIMIT_MS): void {
  setTimeout(() => {
    process.stderr.write('Stopping takes too long: the process ends as it is, the next start recovers.\n');
    // Not by exit, whose hooks may hang as well.
    process.kill(process.pid, 'SIGKILL');
  }, limitMs);
  stop().then(
    () => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`Stopping failed: ${(error as Error).message}\n`);
      process.exit(1);
    },
  );
}

/**
 * SIGTERM and Ctrl-C end this process after `stop`. When the process that started it ends first, and holds a channel to it, this
 * one ends at once, as by a crash: what it needs may be gone as well, and the next start wants its port.
 */
export function endOnSignals(stop: () => Promise<unknown>): void {
  let ending = false;
  const end = (): void => {
    if (!ending) endProcess(stop);
    ending = true;
  };
  const endAlone = (): void => void process.kill(process.pid, 'SIGKILL');
  process.on('SIGINT', end).on('SIGTERM', end).on('disconnect', endAlone);
  // While this process started.
  if (process.connected === false) endAlone();
}
