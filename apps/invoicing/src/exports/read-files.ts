import type { BlobReader, BlobStore, ReadBlobs } from '@kontor/persistence';
import { zipHeaderSize, type ZipArchive } from '@kontor/service-kit';
import type { StoredDocument, StoredFile } from './page-documents.js';

/** So many files are read at a time, and together about so many bytes. */
const FILES = 64;
const BYTES = 4 * 1024 * 1024;

/** Some files as they will stand in the archive: each behind room for its header. */
interface FileBatch extends ReadBlobs {
  readonly files: readonly StoredFile[];
}

/** Some files of a page of documents, or, after all of them, the page as a whole. */
interface ReadStep {
  readonly page: readonly StoredDocument[];
  readonly batch: FileBatch | null;
}

export async function* readPages(
  blobs: BlobStore,
  pages: AsyncIterable<readonly StoredDocument[]>,
): AsyncGenerator<ReadStep> {
  const reader = blobs.openReader();
  try {
    for await (const page of pages) {
      for (const files of batchesOf(page)) yield { page, batch: await readBatch(reader, files) };
      yield { page, batch: null };
    }
  } finally {
    await reader.close();
  }
}

/** The batch as a piece of the archive. */
export function withHeaders(zip: ZipArchive, { files, bytes, sums }: FileBatch): Buffer {
  placesOf(files).forEach(({ file, start }, index) => {
    const { path, finalizedAt: modified, sizeBytes: size } = file;
    const header = zip.header({ path, modified, crc32: sums[index] ?? 0, size });
    header.copy(bytes, start - header.length);
  });
  return bytes;
}

async function readBatch(reader: BlobReader, files: readonly StoredFile[]): Promise<FileBatch> {
  const places = placesOf(files);
  const wanted = places.map(({ file, start, end }) => ({ key: file.sha256, start, end }));
  return { files, ...(await reader.read(places.at(-1)?.end ?? 0, wanted)) };
}

function* batchesOf(page: readonly StoredDocument[]): Generator<StoredFile[]> {
  let batch: StoredFile[] = [];
  let size = 0;
  for (const { files } of page)
    for (const file of files) {
      batch.push(file);
      size += file.sizeBytes;
      if (batch.length < FILES && size < BYTES) continue;
      yield batch;
      [batch, size] = [[], 0];
    }
  if (batch.length > 0) yield batch;
}

/** Where the bytes of each file stand. */
function placesOf(files: readonly StoredFile[]): { file: StoredFile; start: number; end: number }[] {
  let end = 0;
  return files.map((file) => {
    const start = end + zipHeaderSize(file.path);
    end = start + file.sizeBytes;
    return { file, start, end };
  });
}
