import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { LoadedAgreement, StoredAgreement } from './agreement.js';
import { lockAgreement } from './agreement.js';
import type { SubscriptionJson } from './subscription.schema.js';
import { SaveAgreement, type SubscriptionNotice } from './save-agreement.js';

export interface Changed {
  readonly agreement: StoredAgreement;
  readonly notices: readonly SubscriptionNotice[];
}

/** The one way in which a subscription changes: lock, decide by a pure rule, store, publish. */
@Injectable()
export class ChangeAgreement {
  constructor(
    private readonly replicas: Replicas,
    private readonly save: SaveAgreement,
  ) {}

  /** @throws DomainError `not_found`, and what the rule refuses */
  async execute(
    tx: TenantTx,
    id: string,
    decide: (loaded: LoadedAgreement) => Changed | Promise<Changed>,
    extraPrices: readonly string[] = [],
  ): Promise<SubscriptionJson> {
    const loaded = await lockAgreement(tx, this.replicas, id, extraPrices);
    const { agreement, notices } = await decide(loaded);
    return this.save.execute(tx, loaded, agreement, notices);
  }
}
