import type { Sql } from '@kontor/kernel';
import type { BlobStore, Database } from '@kontor/persistence';

/** Whoever stores the same bytes has committed its row after so long, or never will. */
const SETTLED_MS = 60_000;
const PORTION = 200;

/** Notes the files of deleted or changed rows in their transaction; they are removed later, unless another row has the same bytes. */
export async function keepFilesInMind(tx: Sql, rows: readonly { file?: string | null }[]): Promise<void> {
  const keys = [...new Set(rows.flatMap(({ file }) => file ?? []))].sort();
  if (keys.length === 0) return;
  await tx.query(
    `INSERT INTO file_to_remove (key, since) SELECT k, $2 FROM unnest($1::text[]) k
     ON CONFLICT (key) DO UPDATE SET since = excluded.since`,
    [keys, new Date()],
  );
}

/** Stores bytes for a row that `writeRow` writes. Where it is refused, they go as those of a deleted row do. */
export async function storeForRow<Row>(
  database: Database,
  blobs: BlobStore,
  bytes: Uint8Array,
  writeRow: (key: string) => Promise<Row>,
): Promise<Row> {
  const key = await blobs.put(bytes);
  try {
    return await writeRow(key);
  } catch (error) {
    // What the outcome of a commit was need not be known: they stay where a row has them.
    await keepFilesInMind({ query: database.statement.bind(database) }, [{ file: key }]).catch(() => undefined);
    throw error;
  }
}

/** Removes the files of deleted rows to which no row of any tenant refers. Returns how many. */
export async function removeFiles(database: Database, blobs: BlobStore, now = new Date()): Promise<number> {
  let removed = 0;
  for (let after = ''; ;) {
    const rows = await database.statement<{ key: string; since: Date }>(
      'SELECT key, since FROM file_to_remove WHERE key > $1 AND since < $2 ORDER BY key LIMIT $3',
      [after, new Date(now.getTime() - SETTLED_MS), PORTION],
    );
    for (const { key, since } of rows) {
      const [used] = await database.statement('SELECT tenant_id FROM file_in_use($1)', [key]);
      if (!used && (await blobs.remove(key, since))) removed++;
      await database.statement('DELETE FROM file_to_remove WHERE key = $1 AND since = $2', [key, since]);
    }
    if (rows.length < PORTION) return removed;
    after = rows.at(-1)!.key;
  }
}
