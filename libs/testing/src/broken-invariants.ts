import type { Tx } from '@kontor/kernel';
import { describeViolations, type ServiceDefinition, violationsOf } from '@kontor/service-kit';

/** What breaks a service's promises in its database to the transaction's tenant, a line each; empty when all hold. */
export async function brokenInvariants(
  tx: Tx,
  invariants: NonNullable<ServiceDefinition['invariants']>,
): Promise<string[]> {
  const lines: string[] = [];
  for (const invariant of invariants.filter((rule) => 'sql' in rule))
    lines.push(...describeViolations({ ...(await violationsOf(tx, invariant)), tenantId: null }));
  return lines;
}
