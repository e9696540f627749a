import { UnreadableStatement } from './statement.js';

const DECLARED = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;
const LATIN = new Set([
  'iso-8859-1',
  'iso8859-1',
  'latin1',
  'iso-8859-15',
  'windows-1252',
  'cp1252',
  'us-ascii',
  'ascii',
]);

const tryUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/**
 * Bytes of a statement as text. What the bytes are wins over what the file says they are: banks declare UTF-8 and send
 * cp1252 and the other way round; valid UTF-8 beyond ASCII is never anything else by chance.
 * @throws UnreadableStatement for an encoding that no bank uses
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const utf8 = tryUtf8(bytes);
  if (utf8 !== undefined) return utf8;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(200, bytes.byteLength)).toString('latin1');
  const declared = DECLARED.exec(head)?.[1]?.toLowerCase();
  if (declared !== undefined && declared !== 'utf-8' && declared !== 'utf8' && !LATIN.has(declared))
    throw new UnreadableStatement(
      `The file's encoding "${declared}" is not supported: send UTF-8, ISO-8859-1 or windows-1252.`,
    );
  return new TextDecoder(declared === 'iso-8859-15' ? 'iso-8859-15' : 'windows-1252').decode(bytes);
}
