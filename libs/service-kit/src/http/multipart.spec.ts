import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readMultipart } from './multipart.js';

const TYPE = 'multipart/form-data; boundary=x';
const read = (text: string, type = TYPE) => readMultipart(Buffer.from(text), type);
const part = (name: string, content: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;

describe('a form', () => {
  it('is read as the platform writes it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter(isPlainName), {
          maxLength: 5,
        }),
        fc.uint8Array({ maxLength: 200 }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter(isPlainName),
        async (names, content, fileName) => {
          const form = new FormData();
          for (const name of names) form.append(name, `text of ${name}`.replaceAll(/\r\n?|\n/g, '\r\n'));
          form.append('the file', new Blob([content]), fileName);
          const sent = new Response(form);
          const fields = readMultipart(Buffer.from(await sent.arrayBuffer()), sent.headers.get('content-type')!);
          expect([...fields.keys()]).toEqual([...names, 'the file']);
          for (const name of names) expect(fields.get(name)).toEqual({ content: Buffer.from(`text of ${name}`) });
          expect(fields.get('the file')).toEqual({ fileName, content: Buffer.from(content) });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('has names that look like other parameters', () => {
    const text = '--x\r\nContent-Disposition: form-data; name="a; filename=b"\r\n\r\n1\r\n--x--';
    expect(read(text)).toEqual(new Map([['a; filename=b', { content: Buffer.from('1') }]]));
  });

  it('may have a preamble, other headers and an empty field', () => {
    const text = `before\r\n--x\r\nContent-Type: text/plain\r\ncontent-disposition: FORM-DATA; Name=a\r\n\r\n\r\n--x--\r\nafter`;
    expect(read(text, 'multipart/form-data; charset=utf-8; boundary="x"')).toEqual(
      new Map([['a', { content: Buffer.alloc(0) }]]),
    );
    expect(read('--x--')).toEqual(new Map());
  });

  it.each([
    ['no boundary', part('a', '1') + '--x--', 'multipart/form-data'],
    ['another boundary', part('a', '1') + '--x--', 'multipart/form-data; boundary=y'],
    ['no end', part('a', '1')],
    ['a part without a name', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--'],
    ['a part without headers', '--x\r\n1\r\n--x--'],
    ['headers without an end', `--x\r\nContent-Disposition: form-data; name="${'a'.repeat(5_000)}"\r\n\r\n1\r\n--x--`],
    [
      'an encoding',
      '--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\nMQ\r\n--x--',
    ],
    ['a field twice', part('a', '1') + part('a', '2') + '--x--'],
    ['nothing', ''],
  ])('is refused: %s', (_what, text, type = TYPE) =>
    expect(() => read(text, type)).toThrow(expect.objectContaining({ reason: 'invalid_request' })),
  );

  it('with more than a hundred fields is refused', () => {
    const fields = (count: number): string =>
      `${Array.from({ length: count }, (_, n) => part(`f${n}`, '1')).join('')}--x--`;
    expect(read(fields(100)).size).toBe(100);
    expect(() => read(fields(200_000))).toThrow(expect.objectContaining({ reason: 'too_many_fields' }));
  });
});

/** Without what no header can carry, and what is written as `%…` and would be read as that. */
function isPlainName(name: string): boolean {
  return (
    !/%(22|0d|0a)/i.test(name) &&
    !/[\uD800-\uDFFF]/u.test(name) &&
    !name.includes('\r') &&
    !name.includes('\n') &&
    name !== 'the file'
  );
}
