import { DomainError, unknownReference, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { isStorableText } from '@kontor/service-kit';
import type { FeatureRow } from '../db/entitlement.row.js';
import * as tables from '../db/tables.js';
import { readValue } from '../domain/entitlements/feature-config.js';

/** At one place: a customer, a subscription, an item, a product, a price. */
const MAX_AT_ONE_PLACE = 500;

/** @throws DomainError `too_many_entitlements` */
export function refuseTooMany(present: number): void {
  if (present >= MAX_AT_ONE_PLACE)
    throw new DomainError('too_many_entitlements', { detail: `There are at most ${MAX_AT_ONE_PLACE} at one place.` });
}

/** The feature that a body names. @throws DomainError `unknown_reference`, `feature_archived` */
export async function grantableFeature(tx: TenantTx, id: string): Promise<FeatureRow> {
  const feature = isStorableText(id) ? await tables.features.get(tx, id) : null;
  if (!feature) throw unknownReference('feature');
  if (feature.status === 'archived')
    throw new DomainError('feature_archived', {
      detail: 'The feature is archived: it is given to nobody any more. It can be activated again.',
      violations: [{ propertyPath: 'feature', message: 'The feature is archived.', code: 'feature_archived' }],
    });
  return feature;
}

/** The value as it is stored. @throws DomainError `validation_failed` */
export function valueFor(feature: FeatureRow, value: unknown): string {
  const read = readValue(feature.type, feature.config, value);
  if ('violation' in read)
    throw new DomainError('validation_failed', { detail: read.violation.message, violations: [read.violation] });
  return read.value;
}

/** @throws DomainError `validation_failed` when it ends before it begins */
export function validityOf(body: { readonly validFrom?: string | null; readonly validUntil?: string | null }): {
  validFrom: Date | null;
  validUntil: Date | null;
} {
  const validFrom = body.validFrom ? new Date(body.validFrom) : null;
  const validUntil = body.validUntil ? new Date(body.validUntil) : null;
  if (validFrom !== null && validUntil !== null && validUntil <= validFrom)
    throw validationFailed('validUntil', 'validUntil must lie after validFrom.', 'not_later');
  return { validFrom, validUntil };
}
