/** What happened to a server that nobody asked to end. */
export type ServerEnd =
  | { readonly state: 'ended'; readonly restarts: number }
  | { readonly state: 'restarted' }
  | { readonly state: 'given_up'; readonly error: Error | null };

export interface Supervision {
  /** Called with its end, with its return, and when it is given up. */
  onEnd(end: ServerEnd): void;
  /** True while there is a reason for its ends that will pass, such as a full disk: it is tried again and again. */
  readonly isExcused?: () => boolean;
}

export interface SupervisedServer extends Supervision {
  isRunning(): boolean;
  /** Starts it again and resolves when it answers. */
  restart(): Promise<unknown>;
  /** Milliseconds of a clock that never goes back; replaced in tests. */
  readonly now?: () => number;
}

const LOOK_MS = 250;
const MAX_RESTARTS = 3;
const WINDOW_MS = 60_000;
const BACKOFF_MS = [100, 1_000, 4_000];

/**
 * Looks after a server: when it ends it is restarted, after a pause that grows; after the third time within a minute no
 * more. The process is polled, because a server that outlived an earlier parent is nobody's child.
 * Returns what ends the supervision, and waits for a restart that is under way.
 */
export function superviseServer(server: SupervisedServer): () => Promise<void> {
  const restarts: number[] = [];
  let stopped = false;
  let timer: NodeJS.Timeout;
  let restarting = Promise.resolve();

  const schedule = (delayMs: number, work: () => unknown): void => {
    if (stopped) return;
    timer = setTimeout(work, delayMs);
    timer.unref();
  };
  const look = (): void => {
    if (seemsToRun()) schedule(LOOK_MS, look);
    else ended(null);
  };
  // A look that fails, such as for want of an open file, says nothing of the server.
  const seemsToRun = (): boolean => {
    try {
      return server.isRunning();
    } catch {
      return true;
    }
  };
  const ended = (error: Error | null): void => {
    if (stopped) return;
    const now = server.now?.() ?? performance.now();
    while (restarts.length > 0 && now - restarts[0]! > WINDOW_MS) restarts.shift();
    if (server.isExcused?.()) {
      schedule(BACKOFF_MS.at(-1)!, () => (restarting = restart()));
      return;
    }
    if (restarts.length === MAX_RESTARTS) {
      server.onEnd({ state: 'given_up', error });
      return;
    }
    schedule(BACKOFF_MS[restarts.length]!, () => (restarting = restart()));
    restarts.push(now);
    server.onEnd({ state: 'ended', restarts: restarts.length });
  };
  const restart = async (): Promise<void> => {
    try {
      await server.restart();
    } catch (error) {
      ended(error as Error);
      return;
    }
    if (!stopped) server.onEnd({ state: 'restarted' });
    look();
  };

  schedule(LOOK_MS, look);
  return () => {
    stopped = true;
    clearTimeout(timer);
    return restarting;
  };
}
