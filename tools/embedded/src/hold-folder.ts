import { statSync } from 'node:fs';
import { createServer } from 'node:net';

/** Releases a folder. */
export type Release = () => void;

/** Which folder this is, by whatever path; a copy of it is another one. */
export function identityOf(folder: string): string {
  const { dev, ino } = statSync(folder);
  return `${dev}-${ino}`;
}

/**
 * Holds a folder for this process alone until it releases it or ends, however it ends: by a socket in Linux's abstract namespace, of
 * which no file stays behind. Null when another process holds it. On other systems two starts in the same moment are not told apart.
 */
export function holdFolder(folder: string): Promise<Release | null> {
  if (process.platform !== 'linux') return Promise.resolve(() => undefined);
  const identity = identityOf(folder);
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(`\0kontor-data-${identity}`, () => {
      server.unref();
      resolve(() => void server.close());
    });
  });
}
