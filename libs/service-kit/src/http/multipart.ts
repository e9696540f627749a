import { DomainError } from '@kontor/kernel';
import { invalidRequest } from './problem.js';

/** One field of a form. */
export interface FormField {
  /** Absent where it is no file. */
  readonly fileName?: string;
  readonly content: Buffer;
}

const MAX_FIELDS = 100;
const MAX_HEADER_BYTES = 4096;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;",]{1,70}))/i;
const DISPOSITION = /^content-disposition:\s*form-data\s*;(.*)$/i;
const PARAMETER = /\s*([\w*-]+)=(?:"([^"]*)"|([^\s;"]*))\s*(?:;|$)/y;
const ENCODING = /^content-transfer-encoding:\s*(?!7bit|8bit|binary)/i;

/**
 * The fields of a form that was sent as `multipart/form-data`, by name. Made of a few searches over the bytes: a form with
 * a hundred thousand parts or headers takes no longer than one with a large file.
 * @throws DomainError 400 `invalid_request` for what cannot be read or comes twice, 422 `too_many_fields`
 * @see RFC 7578, RFC 2046 5.1.1
 */
export function readMultipart(bytes: Buffer, contentType: string): Map<string, FormField> {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw unreadable();
  const marker = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const fields = new Map<string, FormField>();
  let at = bytes.subarray(0, marker.length).equals(marker) ? marker.length : after(bytes, delimiter, 0);
  while (!isLast(bytes, at)) {
    if (fields.size === MAX_FIELDS)
      throw new DomainError('too_many_fields', { detail: `A form has at most ${MAX_FIELDS} fields.` });
    const head = bytes.subarray(at, at + MAX_HEADER_BYTES);
    const length = head.indexOf('\r\n\r\n');
    if (length < 0) throw unreadable();
    const { name, fileName } = readHeaders(head.subarray(0, length).toString('utf8'));
    if (fields.has(name)) throw invalidRequest(`The form has the field ${name} twice.`);
    const begin = at + length + 4;
    at = after(bytes, delimiter, begin);
    fields.set(name, {
      ...(fileName === undefined ? {} : { fileName }),
      content: bytes.subarray(begin, at - delimiter.length),
    });
  }
  return fields;
}

function after(bytes: Buffer, delimiter: Buffer, from: number): number {
  const found = bytes.indexOf(delimiter, from);
  if (found < 0) throw unreadable();
  return found + delimiter.length;
}

/** What follows a delimiter is the end of its line, or the end of the form. */
function isLast(bytes: Buffer, at: number): boolean {
  const next = bytes.subarray(at, at + 2).toString('latin1');
  if (next !== '--' && next !== '\r\n') throw unreadable();
  return next === '--';
}

function readHeaders(text: string): { name: string; fileName: string | undefined } {
  const lines = text.split('\r\n');
  const found = lines.map((line) => DISPOSITION.exec(line)?.[1]).find((rest) => rest !== undefined);
  const parameters = parametersOf(found ?? '');
  const name = parameters.get('name');
  if (name === undefined || lines.some((line) => ENCODING.test(line))) throw unreadable();
  return { name, fileName: parameters.get('filename') };
}

/** Browsers write a quote and a line's end in a name as `%22`, `%0D`, `%0A`. */
function parametersOf(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (let at = 0; at < text.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const [, name, quoted, plain] = PARAMETER.exec(text) ?? [];
    if (name === undefined) throw unreadable();
    const value = (quoted ?? plain ?? '').replace(/%(22|0D|0A)/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

const unreadable = (): DomainError => invalidRequest('The form cannot be read.');
