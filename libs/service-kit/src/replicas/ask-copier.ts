import type { ServiceName } from '@kontor/contracts';
import type { InternalClient } from '../internal/internal-client.js';
import { NO_TENANT } from './no-tenant.js';
import type { CopyRef } from './copy-watch.js';

interface Question extends CopyRef {
  readonly deadline: number;
  readonly resolve: () => void;
}

/** Of one copier, so that its other callers still find a connection. */
const MAX_REQUESTS = 4;
/** A request is held no longer, so that copies that never come do not keep the places of others. */
const HOLD_MS = 250;

/**
 * Asks one copier whether it has versions. Questions that come up while others are being sent go together; the copier holds
 * the request until it has applied one of them, and those that are left are asked again with the next.
 */
export class AskCopier {
  private questions: Question[] = [];
  private requests = 0;
  private scheduled = false;

  constructor(
    private readonly copier: ServiceName,
    private readonly client: InternalClient,
  ) {}

  /** Resolves when the copier has that version, when it does not answer, or after `ms`. */
  async has(copy: CopyRef, ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
      this.questions.push({ ...copy, deadline: performance.now() + ms, resolve });
      this.send();
    });
    clearTimeout(timer);
  }

  /** In the next round of the event loop: requests that shared a transaction ask together. */
  private send(): void {
    if (this.scheduled || this.requests >= MAX_REQUESTS || this.questions.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      const now = performance.now();
      const questions = this.questions.filter(({ deadline }) => deadline > now);
      this.questions = [];
      if (questions.length > 0) void this.request(questions);
    });
  }

  private async request(questions: readonly Question[]): Promise<void> {
    this.requests++;
    const leftMs = Math.max(...questions.map(({ deadline }) => deadline)) - performance.now();
    const waitMs = Math.min(HOLD_MS, Math.ceil(leftMs));
    const copies = questions.map(({ kind, tenantId, id, version }): CopyRef => ({ kind, tenantId, id, version }));
    try {
      const path = `/internal/copies?waitMs=${waitMs}`;
      // Longer than it is held: a busy copier is not a dead one.
      const options = { tenantId: NO_TENANT, timeoutMs: waitMs + 2 * HOLD_MS };
      const answer = await this.client.call<{ copied: boolean[] }>(this.copier, 'POST', path, { copies }, options);
      questions.forEach((question, i) => {
        if (answer.copied[i]) question.resolve();
        else this.questions.push(question);
      });
    } catch {
      // A copier that is down fetches what it lacks when it is back.
      for (const { resolve } of questions) resolve();
    } finally {
      this.requests--;
      this.send();
    }
  }
}
