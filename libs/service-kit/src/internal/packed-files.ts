/** Several files as one answer: a line of JSON with their names and sizes, and their bytes one after the other. */
export function packFiles(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const sizes = [...files].map(([name, bytes]): [string, number] => [name, bytes.length]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...files.values()]);
}

/** What {@link packFiles} has packed. @throws Error when there are fewer bytes than it says. */
export function unpackFiles(packed: Buffer): Map<string, Buffer> {
  const line = packed.indexOf('\n');
  const sizes = JSON.parse(packed.toString('utf8', 0, line)) as [string, number][];
  let at = line + 1;
  const files = new Map(sizes.map(([name, size]) => [name, packed.subarray(at, (at += size))]));
  if (at !== packed.length) throw new Error('the files are not as long as they should be');
  return files;
}
