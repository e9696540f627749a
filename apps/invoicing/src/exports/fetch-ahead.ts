/** The same items; the next one is fetched while one is used. */
export async function* fetchAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = caught(items.next());
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = caught(items.next());
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}

/** Whoever waits for it gets the error; nobody may do so any more. */
function caught<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
