import { promisify } from 'node:util';
import { unzip, zstdDecompress } from 'node:zlib';
import { onDemand } from '@kontor/kernel';
import { unpackLz4 } from './unpack-lz4.js';
import { unpackSnappy } from './unpack-snappy.js';

const library = onDemand<typeof import('kafkajs')>('kafkajs', import.meta.url);

/** Of one batch; a broker takes a MiB of it, unless it is set otherwise. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;

const atMost = { maxOutputLength: MAX_UNPACKED_BYTES };
const [unzipped, unpackedZstd] = [promisify(unzip), promisify(zstdDecompress)];

const readOnly = (decompress: (packed: Buffer) => Promise<Buffer>) => () => ({
  compress: () => Promise.reject(new Error('What is sent from here is not compressed.')),
  decompress,
});

/**
 * kafkajs reads gzip alone, and of any size. What is compressed otherwise, which is a setting of whoever writes, would end its
 * consumer again and again, for all partitions. Why no package unpacks it: docs/adr/0038-compressed-messages-are-unpacked-here.md.
 */
export function withEveryCodec(): void {
  const { CompressionCodecs, CompressionTypes } = library();
  Object.assign(CompressionCodecs, {
    [CompressionTypes.GZIP]: readOnly((packed) => unzipped(packed, atMost)),
    [CompressionTypes.Snappy]: readOnly(async (packed) => unpackSnappy(packed, MAX_UNPACKED_BYTES)),
    [CompressionTypes.LZ4]: readOnly(async (packed) => unpackLz4(packed, MAX_UNPACKED_BYTES)),
    [CompressionTypes.ZSTD]: readOnly((packed) => unpackedZstd(packed, atMost)),
  });
}
