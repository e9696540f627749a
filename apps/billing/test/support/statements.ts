import pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly params: unknown[];
}

/** The SQL that this process sends while `work` runs; background work of the service is among it. */
export async function statementsOf(work: () => Promise<void>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [query, params] = args as [string | { text?: string }, unknown[] | undefined];
    seen.push({ text: typeof query === 'string' ? query : (query.text ?? ''), params: params ?? [] });
    return original.apply(this, args as never);
  } as never;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return seen;
}

/** Statements of `work` alone: the fewest of several rounds, because the service's own polling comes on top at times. */
export async function fewestStatements(work: () => Promise<void>): Promise<number> {
  let fewest = Infinity;
  for (let i = 0; i < 5; i++) fewest = Math.min(fewest, (await statementsOf(work)).length);
  return fewest;
}
