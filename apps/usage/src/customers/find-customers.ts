import { Injectable } from '@nestjs/common';
import { isUuid } from '@kontor/kernel';
import { Replicas, survivorsOf, type TenantTx } from '@kontor/persistence';
import { ServiceUnavailable } from '@kontor/service-kit';

/**
 * How many unknown ids of one request are asked for at the owner: a copy may be a moment behind, but not by many
 * customers.
 */
const MAX_READ_THROUGH = 5;

/** Columns beside the copies: of two customers the one with the external id wins. */
const NAMES = ['customer_number', 'external_id'] as const;

export interface LookUpOptions {
  /** An unavailable owner is an error, not a customer that does not exist. */
  readonly ownerMustAnswer?: boolean;
}

/**
 * Customer ids for what clients call their customers: an id when it has UUID syntax, else the external id or the
 * customer number.
 */
@Injectable()
export class FindCustomers {
  constructor(private readonly replicas: Replicas) {}

  /** By reference as it was given; unknown ones are missing. An external id wins over another customer's number; who was merged is who it is now. */
  async execute(tx: TenantTx, references: Iterable<string>, options: LookUpOptions = {}): Promise<Map<string, string>> {
    const wanted = [...new Set(references)];
    const ids = wanted.filter(isUuid);
    const names = wanted.filter((reference) => !isUuid(reference));
    const found = new Map<string, string>();
    if (names.length > 0) {
      for (const column of NAMES)
        for (const [name, id] of await this.replicas.idsByColumn(tx, column, names)) found.set(name, id);
    }
    if (ids.length > 0) await this.addById(tx, ids, found, options);
    const survivors = await survivorsOf(tx, [...new Set(found.values())]);
    for (const [reference, id] of found) found.set(reference, survivors.get(id) ?? id);
    return found;
  }

  /** Those of the ids that were anonymized: nothing is kept of them anew. */
  anonymized(tx: TenantTx, ids: Iterable<string>): Promise<Set<string>> {
    return this.replicas.idsWith(tx, 'customer', 'anonymizedAt', [...ids]);
  }

  private async addById(
    tx: TenantTx,
    ids: readonly string[],
    found: Map<string, string>,
    options: LookUpOptions,
  ): Promise<void> {
    const lower = [...new Set(ids.map((id) => id.toLowerCase()))];
    const copies = await this.replicas.copies(tx, 'customer', lower);
    const known = new Set([...copies.values()].filter(({ deleted }) => !deleted).map(({ id }) => id));
    const missing = lower.filter((id) => !copies.has(id)).slice(0, MAX_READ_THROUGH);
    for (const id of await this.knownToOwner(tx, missing, options)) known.add(id);
    for (const id of ids) if (known.has(id.toLowerCase())) found.set(id, id.toLowerCase());
  }

  /**
   * While the owner is unavailable, a customer that is not copied here counts as unknown: the rest of the request is
   * stored all the same.
   */
  private async knownToOwner(
    tx: TenantTx,
    ids: readonly string[],
    { ownerMustAnswer = false }: LookUpOptions,
  ): Promise<Iterable<string>> {
    try {
      return (await this.replicas.getMany(tx, 'customer', ids)).keys();
    } catch (error) {
      if (error instanceof ServiceUnavailable && !ownerMustAnswer) return [];
      throw error;
    }
  }
}
