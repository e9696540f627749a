import { it } from '@jest/globals';
import { CUSTOMER_MERGE_TABLES } from '@kontor/persistence';
import { assertTables } from '@kontor/testing';
import { identityService } from '../src/service.js';

it('rows, migrations and row-level security agree', () => {
  // Found before their tenant is known, and hold no tenant's data.
  const ofIssuers = ['oidc_payload', 'signing_key'];
  const ofPeople = [
    'person',
    'person_session',
    'person_token',
    'person_recovery_code',
    'person_passkey',
    'person_attempt',
  ];
  const withoutTenant = [...ofIssuers, ...ofPeople];
  return assertTables(identityService, {
    withoutRow: [...CUSTOMER_MERGE_TABLES, ...withoutTenant],
    withoutPolicy: withoutTenant,
  });
});
