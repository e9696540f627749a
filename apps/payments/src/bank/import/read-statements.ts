import { parseCamt053 } from '../../domain/bank/import/camt053.js';
import { decodeText } from '../../domain/bank/import/decode-text.js';
import { parseMt940 } from '../../domain/bank/import/mt940.js';
import { type RawStatement, type StatementFormat, UnreadableStatement } from '../../domain/bank/import/statement.js';
import { unzip } from './unzip.js';

export interface ReadFile {
  readonly format: Exclude<StatementFormat, 'json'>;
  readonly statements: readonly RawStatement[];
}

/**
 * Statements of one file, whose format follows from its bytes: CAMT.053, MT940, or a ZIP of them.
 * @throws UnreadableStatement
 */
export async function readStatements(bytes: Buffer): Promise<ReadFile> {
  if (bytes.subarray(0, 4).toString('latin1') !== 'PK\u0003\u0004') return readOne(bytes);
  const read: ReadFile[] = [];
  for (const file of await unzip(bytes)) {
    try {
      read.push(readOne(file.bytes));
    } catch (error) {
      throw error instanceof UnreadableStatement ? new UnreadableStatement(`${file.name}: ${error.message}`) : error;
    }
  }
  const format = read[0]!.format;
  if (read.some((file) => file.format !== format))
    throw new UnreadableStatement('The ZIP mixes CAMT.053 and MT940: send one of them.');
  return { format, statements: read.flatMap((file) => file.statements) };
}

function readOne(bytes: Buffer): ReadFile {
  if (bytes.length === 0) throw new UnreadableStatement('The file is empty.');
  const text = decodeText(bytes);
  const start = text.trimStart().slice(0, 200);
  if (start.startsWith('<')) return { format: 'camt053', statements: parseCamt053(text) };
  if (/^(\{\d:|:\d{2}[A-Z]?:|@@)/.test(start) || text.includes('\n:25:'))
    return { format: 'mt940', statements: parseMt940(text) };
  throw new UnreadableStatement('The file is neither CAMT.053 (XML) nor MT940, nor a ZIP of them.');
}
