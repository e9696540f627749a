import { deflateSync } from 'node:zlib';

/** Bytes as a stream has them (FlateDecode): a sixth larger than at best, in less than half the time. */
export const pack = (bytes: Uint8Array): Buffer => deflateSync(bytes, { level: 1 });
