import { closeSync, openSync } from 'node:fs';
import { readApart } from '../../src/apart/read-apart.js';

/** Prints the code with which a file is refused that is to be read apart when nothing can be opened any more. */
const opened: number[] = [];
try {
  for (;;) opened.push(openSync('/dev/null', 'r'));
} catch {
  // That was the last one.
}
const worker = new URL('./patient-worker', import.meta.url);
const answer = readApart('a', { worker, data: null, size: 0 }).then(
  () => 'read',
  ({ code }: { code?: string }) => code,
);
// A start fails at once; what says so may need a file to do it.
setImmediate(() => opened.forEach((file) => closeSync(file)));
process.stdout.write(String(await answer));
