import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { SettleCollections } from '../collections/settle-collections.js';

/** Money that was paid out, by hand or as a statement line has shown, came back: its document owes it again. */
@Injectable()
export class ReturnPayout {
  constructor(private readonly settleCollections: SettleCollections) {}

  /** In the transaction of its cause. False when it had come back before. */
  async execute(tx: TenantTx, transactionId: string, reason: string): Promise<boolean> {
    return (await this.settleCollections.execute(tx, new Map([[transactionId, { status: 'declined', reason }]]))) > 0;
  }
}
