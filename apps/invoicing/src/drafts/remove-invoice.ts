import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { DraftEditor } from './draft-editor.js';
import { TakeChargesOff } from './take-charges-off.js';

/** Removes a draft. Charges on it are not billed again, and nothing of them is credited: that was decided by whoever removed it. */
@Injectable()
export class RemoveInvoice {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
    private readonly takeChargesOff: TakeChargesOff,
  ) {}

  /** @throws DomainError 404; 422 `invoice_not_draft`, `charge_credited`. */
  execute(tenantId: string, id: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      const draft = await this.editor.lock(tx, id);
      await this.takeChargesOff.execute(tx, draft, draft.positions);
      await this.editor.remove(tx, draft);
    });
  }
}
