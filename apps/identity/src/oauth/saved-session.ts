import { AsyncLocalStorage } from 'node:async_hooks';

/** A session that was stored before and is saved again, as it is at the end of each request: only while it stands. */
export class SavedSession {
  private static readonly running = new AsyncLocalStorage<SavedSession>();
  /** What it was stored under until now, where that changes. */
  formerId: string | undefined;

  static current(): SavedSession | undefined {
    return SavedSession.running.getStore();
  }

  static run<T>(work: () => T): T {
    return SavedSession.running.run(new SavedSession(), work);
  }
}
