import { Injectable } from '@nestjs/common';
import { completeDueMany, type DueBatch, DueHandler, type DueWorker } from '@kontor/persistence';
import { RENDER_WORK } from '../due-kinds.js';
import { RenderFiles } from './render-files.js';

/** Renders files after finalization, beside everything else. A document that fails is tried again later. */
@Injectable()
@DueHandler({ kind: RENDER_WORK, batchSize: 50 })
export class RenderWorker implements DueWorker {
  constructor(private readonly renderFiles: RenderFiles) {}

  async handle({ tenantId, now, items }: DueBatch): Promise<void> {
    const failures = await this.renderFiles.execute(
      tenantId,
      items.map((item) => item.ref),
      {
        now,
        finish: async (tx, rendered) => {
          const done = new Set(rendered);
          await completeDueMany(
            tx,
            RENDER_WORK,
            items.filter((item) => done.has(item.ref)).map((item) => ({ item, nextDueAt: null })),
          );
        },
      },
    );
    const [first] = failures;
    if (first) throw first.error;
  }
}
