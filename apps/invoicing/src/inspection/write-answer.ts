import { UnreadableFile } from '../domain/e-invoice/reading/xml-node.js';
import type { Inspection } from './inspect.js';
import { invoicePage } from './invoice-page.js';
import { representInspection } from './represent-inspection.js';

/** A file of 20 MiB that says little of each of its lines says much more when it is written out. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * An inspection as it is answered, in bytes that are passed on as they are: what a file of very many lines says would hold who writes
 * it out for seconds. @throws UnreadableFile where it is too much
 */
export function writeAnswer(inspection: Inspection, isPage: boolean): Uint8Array {
  const text = isPage ? invoicePage(inspection) : JSON.stringify(representInspection(inspection));
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MAX_BYTES) throw new UnreadableFile('The file says more than can be answered.');
  return bytes;
}
