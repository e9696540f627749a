/** Unpacks for ever what is never looked at: its heap stays small. */
const pieces: Uint8Array[] = [];
for (;;) {
  pieces.push(new Uint8Array(1024 * 1024).fill(1));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}
