/** A small client of the public API: JSON in and out, idempotent POSTs; what was too much is sent again as advised. */
export class Api {
  constructor(baseUrl, apiKey, scope = '') {
    Object.assign(this, { baseUrl, apiKey, scope });
  }

  get = (path) => this.#send('GET', path);
  post = (path, body, idempotencyKey) => this.#send('POST', path, body, idempotencyKey);
  put = (path, body) => this.#send('PUT', path, body);
  patch = (path, body) => this.#send('PATCH', path, body);

  async #send(method, path, body, idempotencyKey) {
    const headers = { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' };
    if (idempotencyKey) headers['idempotency-key'] = `${this.scope}:${idempotencyKey}`;
    for (;;) {
      const response = await fetch(this.baseUrl + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((error) => {
        throw new Error(`${method} ${path}: no answer from ${this.baseUrl} (${error.cause?.code ?? error.message}).`);
      });
      const text = await response.text();
      if (response.status === 429 || text.includes('"service_overloaded"')) {
        await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get('retry-after') ?? 1)));
        continue;
      }
      if (!response.ok)
        throw new Error(
          `${method} ${path}: ${response.status} ${text}\n${JSON.stringify(body ?? null).slice(0, 2000)}`,
        );
      return text === '' ? undefined : JSON.parse(text);
    }
  }
}
