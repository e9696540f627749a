import type { Tx } from '@kontor/kernel';
import { describeViolations, type Invariant, violationsOf } from '@kontor/service-kit';

/** What breaks a service's promises to the transaction's tenant, a line each; empty when all hold. */
export async function brokenInvariants(tx: Tx, invariants: readonly Invariant[]): Promise<string[]> {
  const lines: string[] = [];
  for (const invariant of invariants)
    lines.push(...describeViolations({ ...(await violationsOf(tx, invariant)), tenantId: null }));
  return lines;
}
