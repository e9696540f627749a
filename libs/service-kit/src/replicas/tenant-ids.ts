import type { InternalClient } from '../internal/internal-client.js';

const NO_TENANT = '00000000-0000-0000-0000-000000000000';

/** The ids of all tenants, asked of their owner page by page. */
export async function* tenantIds(client: InternalClient): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const { tenants } = await client.call<{ tenants: string[] }>(
      'identity',
      'GET',
      `/internal/replicas/tenant?after=${after}`,
      undefined,
      { tenantId: NO_TENANT },
    );
    if (tenants.length === 0) return;
    yield* tenants;
    after = tenants.at(-1)!;
  }
}
