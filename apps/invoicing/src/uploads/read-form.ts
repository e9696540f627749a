import { DomainError } from '@kontor/kernel';
import { invalidRequest, readMultipart } from '@kontor/service-kit';

const MAX_FILE = 20 * 1024 * 1024;

/** The file of a form. @throws DomainError 400 `invalid_request`, 413 `payload_too_large`, 415 `unsupported_media_type` */
export function readForm(body: unknown, contentType: string): Uint8Array {
  if (!contentType.startsWith('multipart/form-data'))
    throw new DomainError('unsupported_media_type', {
      kind: 'unsupported_media',
      detail: 'Send a form with the field "file".',
    });
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (bytes.length > MAX_FILE + 64 * 1024) throw tooLarge();
  const form = readMultipart(bytes, contentType);
  const unknown = [...form.keys()].find((name) => name !== 'file');
  if (unknown !== undefined) throw refused(unknown, 'is unknown', 'unknown_field');
  const file = form.get('file');
  if (file?.fileName === undefined) throw refused('file', 'must be a file', 'required');
  if (file.content.length > MAX_FILE) throw tooLarge();
  return new Uint8Array(file.content);
}

const tooLarge = (): DomainError =>
  new DomainError('payload_too_large', { kind: 'too_large', detail: 'The file may have at most 20 MiB.' });

function refused(name: string, what: string, code: string): DomainError {
  const message = `The field ${name} ${what}.`;
  const violations = [{ propertyPath: name, message, code }];
  return code === 'unknown_field' ? invalidRequest(message, violations, code) : invalidRequest(message, violations);
}
