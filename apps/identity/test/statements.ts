import { createHook } from 'node:async_hooks';
import { requestContext } from '@kontor/service-kit';
import { Database } from '@kontor/persistence';
import type { TestService } from '@kontor/testing';
import type { PoolClient } from 'pg';

/** What a request makes a service do: its statements in their order, and how often a password is hashed. */
export interface Work {
  readonly statements: string[];
  readonly hashes: number;
}

/**
 * Watches what requests do, instead of how long they take: who measures answers learns nothing where the work is the same. Background work
 * does not count.
 */
export class WatchedRequests {
  private statements: string[] = [];
  private hashes = 0;
  private readonly hook = createHook({
    init: (_id, type) => {
      if (type === 'ARGON2REQUEST') this.hashes++;
    },
  });
  private readonly watched = new WeakSet<PoolClient>();

  constructor(test: TestService) {
    // Its constructor is private: only the class itself connects.
    const database = test.service.get(Database as unknown as abstract new () => Database);
    database.pool.on('acquire', (client) => this.watch(client));
  }

  async during(send: () => Promise<unknown>): Promise<Work> {
    this.statements = [];
    this.hashes = 0;
    this.hook.enable();
    try {
      await send();
    } finally {
      this.hook.disable();
    }
    return { statements: this.statements, hashes: this.hashes };
  }

  private watch(client: PoolClient): void {
    if (this.watched.has(client)) return;
    this.watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const noted = (...given: unknown[]): unknown => {
      const text = typeof given[0] === 'string' ? given[0] : (given[0] as { text?: string }).text;
      if (requestContext()?.operation) this.statements.push(text ?? '');
      return query(...given);
    };
    client.query = noted as PoolClient['query'];
  }
}
