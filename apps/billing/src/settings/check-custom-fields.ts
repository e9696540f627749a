import { DomainError, type Violation } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { CustomFieldRow } from '../db/settings.row.js';
import { customFieldViolations } from '../domain/settings/custom-fields.js';

/** Violations of the tenant's custom field definitions by the values of one object. */
export async function violationsOfCustomFields(
  tx: TenantTx,
  object: CustomFieldRow['object'],
  values: Readonly<Record<string, string>> | null,
): Promise<Violation[]> {
  const fields = await tables.customFields.find(tx, { object });
  return customFieldViolations(values, fields);
}

/** @throws DomainError `validation_failed` when there is a violation. */
export function refuse(violations: readonly Violation[]): void {
  const [first] = violations;
  if (first) throw new DomainError('validation_failed', { detail: first.message, violations });
}
