/** So many are read at a time, and together about so many bytes. */
const FILES = 32;
const BYTES = 16 * 1024 * 1024;

/** The same pages; the next one is fetched while one is used. */
export async function* fetchAhead<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = caught(pages.next());
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = caught(pages.next());
      yield value;
    }
  } finally {
    await pages.return(undefined);
  }
}

/** Each with its bytes, where it has some, in their order; the next ones are read while one is used. */
export async function* readAhead<T>(
  items: AsyncGenerator<T>,
  sizeOf: (item: T) => number,
  read: (item: T) => Promise<Buffer> | null,
): AsyncGenerator<[T, Buffer | null]> {
  const reading: { readonly item: T; readonly bytes: Promise<Buffer> | null }[] = [];
  let size = 0;
  let isOver = false;
  try {
    for (;;) {
      while (!isOver && (reading.length === 0 || (reading.length < FILES && size < BYTES))) {
        const { done, value } = await items.next();
        if (done) isOver = true;
        else {
          const bytes = read(value);
          reading.push({ item: value, bytes: bytes && caught(bytes) });
          size += sizeOf(value);
        }
      }
      const first = reading.shift();
      if (!first) return;
      size -= sizeOf(first.item);
      yield [first.item, await first.bytes];
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
