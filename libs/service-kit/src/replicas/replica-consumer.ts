import { type EventEnvelope, type ReplicaKind, REPLICAS } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import type { ConsumerHandler } from '@kontor/messaging';
import { type CopyVersion, type Database, onCommit, type Replicas, storeCopiesAlone } from '@kontor/persistence';
import type { CopyRef, CopyWatch } from './copy-watch.js';

interface StatePayload {
  id: string;
  version: number;
  deleted: boolean;
  state: unknown;
}

type StateEvent = EventEnvelope<StatePayload>;

interface CatalogueState {
  kind: string;
  object: unknown;
}

/** One consumer per event that keeps this service's copies of one or several kinds. */
export function replicaConsumers(
  kinds: readonly ReplicaKind[],
  replicas: Replicas,
  watch: CopyWatch,
  database: Database,
): ConsumerHandler[] {
  const types = new Set(kinds.map((kind) => REPLICAS[kind].event.type));
  return [...types].map((type) => {
    const ofType = kinds.filter((candidate) => REPLICAS[candidate].event.type === type);
    const [kind] = ofType;
    const isOneKind = kind !== undefined && REPLICAS[kind].catalogueKind === undefined;
    return {
      consumer: `copies of ${type}`,
      types: [type],
      batch: true,
      // A copy takes only newer versions.
      guarded: true,
      ...(isOneKind ? { applyAlone: (events) => storeAlone(kind, events as StateEvent[], database, watch) } : {}),
      async invoke(input, tx) {
        const events = (Array.isArray(input) ? input : [input]) as StateEvent[];
        const stored: CopyRef[] = [];
        for (const each of ofType) stored.push(...(await store(each, events, replicas, tx)));
        onCommit(tx, () => watch.stored(stored));
      },
    } satisfies ConsumerHandler;
  });
}

/** A batch of one tenant's events about a kind whose event carries nothing else. */
async function storeAlone(
  kind: ReplicaKind,
  events: readonly StateEvent[],
  database: Database,
  watch: CopyWatch,
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const { tenantId } = first;
  database.storage.requireRoom();
  const copies = events.map(({ payload }) => ({ ...payload, data: payload.state }));
  await storeCopiesAlone(database, tenantId, kind, copies);
  watch.stored(copies.map(({ id, version }) => ({ kind, tenantId, id, version })));
}

/** Stores what the events say of a kind; returns it, also where a copy was as new already. */
async function store(kind: ReplicaKind, events: readonly StateEvent[], replicas: Replicas, tx: Tx): Promise<CopyRef[]> {
  const copies = await copiesIn(kind, events, replicas, tx);
  await replicas.applyMany(tx, kind, copies);
  return copies.map(({ id, version }) => ({ kind, tenantId: tx.tenantId, id, version }));
}

async function copiesIn(
  kind: ReplicaKind,
  events: readonly StateEvent[],
  replicas: Replicas,
  tx: Tx,
): Promise<CopyVersion[]> {
  const { catalogueKind } = REPLICAS[kind];
  const payloads = events.map((event) => event.payload);
  if (catalogueKind === undefined)
    return payloads.map(({ id, version, deleted, state }) => ({ id, version, deleted, data: state }));
  const ofKind = payloads.filter(({ state }) => (state as CatalogueState | null)?.kind === catalogueKind);
  const items: CopyVersion[] = ofKind.map(({ id, version, deleted, state }) => ({
    id,
    version,
    deleted,
    data: (state as CatalogueState).object,
  }));
  // A deletion may carry no state: it is for whichever kind has a copy of that id.
  for (const { id, version } of payloads.filter(({ state, deleted }) => deleted && state === null)) {
    const known = (await replicas.versionOf(tx, kind, id)) > 0 || items.some((item) => item.id === id);
    if (known) items.push({ id, version, deleted: true, data: null });
  }
  return items;
}
