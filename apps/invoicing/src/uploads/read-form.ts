import { DomainError } from '@kontor/kernel';
import { invalidRequest } from '@kontor/service-kit';

const MAX_FILE = 20 * 1024 * 1024;

/** The file of a form. @throws DomainError 400 `invalid_request`, 413 `payload_too_large`, 415 `unsupported_media_type` */
export async function readForm(body: unknown, contentType: string): Promise<Uint8Array> {
  if (!contentType.startsWith('multipart/form-data'))
    throw new DomainError('unsupported_media_type', {
      kind: 'unsupported_media',
      detail: 'Send a form with the field "file".',
    });
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (bytes.length > MAX_FILE + 64 * 1024) throw tooLarge();
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw invalidRequest('The form cannot be read.');
    });
  const unknown = [...form.keys()].find((name) => name !== 'file');
  if (unknown !== undefined) throw refused(unknown, 'is unknown', 'unknown_field');
  const file = form.get('file');
  if (file === null || typeof file === 'string') throw refused('file', 'must be a file', 'required');
  const content = new Uint8Array(await file.arrayBuffer());
  if (content.length > MAX_FILE) throw tooLarge();
  return content;
}

const tooLarge = (): DomainError =>
  new DomainError('payload_too_large', { kind: 'too_large', detail: 'The file may have at most 20 MiB.' });

function refused(name: string, what: string, code: string): DomainError {
  const message = `The field ${name} ${what}.`;
  const violations = [{ propertyPath: name, message, code }];
  return code === 'unknown_field' ? invalidRequest(message, violations, code) : invalidRequest(message, violations);
}
