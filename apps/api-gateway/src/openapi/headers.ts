type Header = Readonly<Record<string, unknown>>;

const whole = { type: 'integer', minimum: 0 };

/** Headers of answers, by name. */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Id of the request: the one that was sent, else a new one. Problems have it as `instance`.',
    schema: { type: 'string' },
    example: '0190a000-0000-7000-8000-0000000000ff',
  },
  'RateLimit-Limit': { description: 'Requests of this token in a minute.', schema: whole, example: 600 },
  'RateLimit-Remaining': { description: 'Requests that are left of them.', schema: whole, example: 599 },
  'RateLimit-Reset': { description: 'Seconds until all are there again.', schema: whole, example: 60 },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: whole, example: 10 },
  'Idempotent-Replayed': {
    description: '`true`: the first answer under this Idempotency-Key once more; nothing was done again. Else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const refs = (names: readonly string[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const ALL = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Which of them an answer has. */
export function headersOf(method: string, status: string): Record<string, { $ref: string }> {
  if (status === '429' || status === '503') return refs([...ALL, 'Retry-After']);
  return refs(method === 'post' && status.startsWith('2') ? [...ALL, 'Idempotent-Replayed'] : ALL);
}
