import { it } from '@jest/globals';
import { CUSTOMER_MERGE_TABLES } from '@kontor/persistence';
import { assertTables } from '@kontor/testing';
import { identityService } from '../src/service.js';

it('rows, migrations and row-level security agree', () => {
  // Found before their tenant is known, and hold no tenant's data.
  const ofIssuers = ['oidc_payload', 'signing_key'];
  return assertTables(identityService, {
    withoutRow: [...CUSTOMER_MERGE_TABLES, ...ofIssuers],
    withoutPolicy: ofIssuers,
  });
});
