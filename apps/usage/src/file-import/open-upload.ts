import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { DomainError } from '@kontor/kernel';
import { invalidRequest } from '@kontor/service-kit';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { ImportFormat } from './read-records.js';
import { type Upload, UploadInterrupted, uploadOf } from './upload.js';

const FORMATS: Readonly<Record<string, ImportFormat>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonlines': 'ndjson',
};
const ENDINGS: Readonly<Record<string, ImportFormat>> = { csv: 'csv', tsv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson' };

/**
 * The file of a request, unread: the body itself, or the field `file` of a form.
 * @throws DomainError 415 `unsupported_media_type`, 400 `invalid_request` for a form without a file
 */
export async function openUpload(request: FastifyRequest): Promise<Upload> {
  const contentType = request.headers['content-type'] ?? '';
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (request.headers['content-encoding'] !== undefined) throw unsupported('Send the file without Content-Encoding.');
  if (type === 'multipart/form-data') return fileOfForm(request.raw, contentType);
  const format = FORMATS[type];
  if (!format)
    throw unsupported('Send CSV as text/csv, NDJSON as application/x-ndjson, or a form with the field "file".');
  return uploadOf(format, request.raw);
}

const unsupported = (detail: string): DomainError =>
  new DomainError('unsupported_media_type', { kind: 'unsupported_media', detail });

function fileOfForm(raw: IncomingMessage, contentType: string): Promise<Upload> {
  return new Promise((resolve, reject) => {
    let form: BusboyInstance;
    try {
      form = new Busboy({
        headers: { 'content-type': contentType },
        limits: { files: 1, fields: 10, fieldSize: 1024, parts: 12 },
      });
    } catch {
      return reject(invalidRequest('The form has no boundary.'));
    }
    let file: Readable | undefined;
    const fail = (error: Error): void => {
      file?.destroy(error);
      reject(error);
    };
    form.on('file', (field, stream, name, _encoding, mimeType) => {
      // Before anything else: a form that ends too early fails the part that it was in, refused or not, and nobody listening ends the process.
      stream.on('error', () => stream.destroy(unreadable()));
      const format = FORMATS[mimeType.toLowerCase()] ?? ENDINGS[/\.(\w+)$/.exec(name ?? '')?.[1]?.toLowerCase() ?? ''];
      if (field !== 'file' || !format) {
        stream.resume();
        return reject(
          field === 'file' ? unsupported('Name the file .csv or .ndjson, or give its part a content type.') : noFile(),
        );
      }
      file = stream;
      resolve(uploadOf(format, stream));
    });
    form.on('error', () => fail(unreadable()));
    form.on('finish', () => reject(noFile()));
    // An interrupted form must not look like a complete file.
    raw.once('error', fail);
    raw.once('aborted', () => fail(new UploadInterrupted()));
    raw.pipe(form);
  });
}

const unreadable = (): DomainError => invalidRequest('The form cannot be read.');
const noFile = (): DomainError => invalidRequest('The form must have the field "file".');
