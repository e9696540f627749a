import { type ReplicaKind, REPLICAS } from '@kontor/contracts';
import type { ReplicaOwners, ReplicaSnapshot } from '@kontor/persistence';
import type { InternalClient } from '../internal/internal-client.js';
import type { OwnedObject } from './replica-source.js';

/** Asks the owners of copies over their internal routes. */
export function replicaOwners(client: InternalClient): ReplicaOwners {
  const read = async (tenantId: string, kind: string, query: string): Promise<OwnedObject[]> => {
    const { owner } = REPLICAS[kind as ReplicaKind];
    const path = `/internal/replicas/${kind}/${tenantId}?${query}`;
    return (await client.call<{ items: OwnedObject[] }>(owner, 'GET', path, undefined, { tenantId })).items;
  };
  return {
    async fetch(tenantId, kind, ids) {
      return byId(await read(tenantId, kind, ids.map((id) => `id=${encodeURIComponent(id)}`).join('&')));
    },
    async list(tenantId, kind) {
      const objects: OwnedObject[] = [];
      for (let after = ''; ;) {
        const page = await read(tenantId, kind, `after=${encodeURIComponent(after)}`);
        objects.push(...page);
        if (page.length === 0) return byId(objects);
        after = page.at(-1)!.id;
      }
    },
  };
}

const byId = (objects: readonly OwnedObject[]): ReadonlyMap<string, ReplicaSnapshot> =>
  new Map(objects.map(({ id, version, data }) => [id, { version, data }]));
