import type { TenantTx } from '@kontor/persistence';
import { documentShapes } from './document-shape.row.js';
import { keyOf, shapeOf } from '../../domain/bank/matching/reference-windows.js';

/** Notes how these document numbers look; what they look like is all that texts are searched for. */
export async function storeDocumentShapes(tx: TenantTx, numbers: readonly string[]): Promise<void> {
  const shapes = [...new Set(numbers.map((number) => shapeOf(keyOf(number))))].sort();
  await documentShapes.insertMissing(
    tx,
    shapes.map((shape) => ({ shape })),
  );
}

export async function knownShapes(tx: TenantTx): Promise<string[]> {
  return (await documentShapes.find(tx, {})).map(({ shape }) => shape);
}
