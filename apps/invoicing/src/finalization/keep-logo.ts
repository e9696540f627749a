import { createHash } from 'node:crypto';
import type { Tx } from '@kontor/kernel';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';

const digestOf = (logo: string): string => createHash('sha256').update(logo).digest('hex');

/** A snapshot as it is stored: it names its logo, which many share. */
export function withoutLogo(snapshot: DocumentSnapshot): DocumentSnapshot {
  const { brand } = snapshot;
  return brand?.logo ? { ...snapshot, brand: { ...brand, logo: digestOf(brand.logo) } } : snapshot;
}

/** A stored snapshot with its logo; null: it has none. */
export const withLogo = (snapshot: DocumentSnapshot, logo: string | null): DocumentSnapshot =>
  snapshot.brand ? { ...snapshot, brand: { ...snapshot.brand, logo } } : snapshot;

/** Keeps the picture for the files that are made later, also of documents of long ago. */
export async function keepLogo(tx: Tx, logo: string | null): Promise<void> {
  if (logo === null) return;
  await tx.query(
    `INSERT INTO document_logo (tenant_id, sha256, data, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [tx.tenantId, digestOf(logo), logo, tx.now],
  );
}

/** Joined as `l` to a table of snapshots `s`. */
export const LOGO_OF_SNAPSHOT = `LEFT JOIN document_logo l
  ON l.tenant_id = s.tenant_id AND l.sha256 = s.snapshot -> 'brand' ->> 'logo'`;
