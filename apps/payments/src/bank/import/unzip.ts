import yauzl from 'yauzl';
import { UnreadableStatement } from '../../domain/bank/import/statement.js';

const MAX_FILES = 200;
const MAX_TOTAL = 64 * 1024 * 1024;
const MAX_RATIO = 120;
/** Small files may be nothing but repetition. */
const RATIO_COUNTS_FROM = 1024 * 1024;

/**
 * The statements in a ZIP, one after the other; folders and hidden files are left out. What a file says about its size
 * is not believed: bytes are counted as they come.
 * @throws UnreadableStatement for a broken archive, too many files, too much in it, or suspiciously much from little
 */
export async function unzip(bytes: Buffer): Promise<{ name: string; bytes: Buffer }[]> {
  const archive = await open(bytes);
  const files: { name: string; bytes: Buffer }[] = [];
  let total = 0;
  try {
    for (let entry = await next(archive); entry; entry = await next(archive)) {
      const name = entry.fileName;
      if (name.endsWith('/') || /(^|\/)(\.|__MACOSX)/.test(name)) continue;
      if (files.length === MAX_FILES) throw new UnreadableStatement(`The ZIP holds more than ${MAX_FILES} files.`);
      if (entry.isEncrypted()) throw new UnreadableStatement(`The file ${name} in the ZIP is encrypted.`);
      const content = await read(archive, entry, MAX_TOTAL - total);
      total += content.length;
      if (content.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004')
        throw new UnreadableStatement(`The file ${name} in the ZIP is a ZIP itself.`);
      files.push({ name, bytes: content });
    }
  } finally {
    archive.close();
  }
  if (files.length === 0) throw new UnreadableStatement('The ZIP is empty.');
  return files;
}

const broken = (error: unknown): UnreadableStatement =>
  new UnreadableStatement(`The ZIP cannot be read: ${(error as Error).message}.`);

function open(bytes: Buffer): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, archive) =>
      error ? reject(broken(error)) : resolve(archive),
    );
  });
}

function next(archive: yauzl.ZipFile): Promise<yauzl.Entry | undefined> {
  return new Promise((resolve, reject) => {
    const done = (act: () => void): void => {
      archive.removeAllListeners();
      act();
    };
    archive.once('entry', (entry: yauzl.Entry) => done(() => resolve(entry)));
    archive.once('end', () => done(() => resolve(undefined)));
    archive.once('error', (error: Error) => done(() => reject(broken(error))));
    archive.readEntry();
  });
}

function read(archive: yauzl.ZipFile, entry: yauzl.Entry, left: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => {
      if (error) return reject(broken(error));
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        const bomb = size > RATIO_COUNTS_FROM && size > entry.compressedSize * MAX_RATIO;
        if (size > left || bomb) {
          stream.destroy();
          reject(new UnreadableStatement(`The ZIP unpacks to too much: ${entry.fileName}.`));
        } else chunks.push(chunk);
      });
      stream.once('error', (failure: Error) =>
        reject(failure instanceof UnreadableStatement ? failure : broken(failure)),
      );
      stream.once('end', () => resolve(Buffer.concat(chunks)));
    });
  });
}
