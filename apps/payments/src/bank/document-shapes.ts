import type { TenantTx } from '@kontor/persistence';
import { keyOf, shapeOf } from '../domain/bank/reference-windows.js';

/** Notes how these document numbers look; what they look like is all that texts are searched for. */
export async function rememberShapes(tx: TenantTx, numbers: readonly string[]): Promise<void> {
  const shapes = [...new Set(numbers.map((number) => shapeOf(keyOf(number))))];
  await tx.query('INSERT INTO document_shape (tenant_id, shape) SELECT $1::uuid, s FROM unnest($2::text[]) AS s ORDER BY s ON CONFLICT DO NOTHING', [
    tx.tenantId,
    shapes,
  ]); // prettier-ignore
}

export async function knownShapes(tx: TenantTx): Promise<string[]> {
  const rows = await tx.query<{ shape: string }>('SELECT shape FROM document_shape WHERE tenant_id = $1', [tx.tenantId]);
  return rows.map((row) => row.shape);
}
