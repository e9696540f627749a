import { BOOKS, type TenantData } from '@kontor/service-kit';
import { ADVANCE } from './sandbox-clock/advance-clock.js';
import { TENANT_DELETION } from './tenant-deletion/request-deletion.js';

/** What stays of a tenant that is deleted: who changed what in it. Its own row goes last. */
export const tenantData: TenantData = {
  kept: [{ table: 'audit_entry', ...BOOKS, from: 't.at' }],
  shared: [
    {
      table: 'oidc_payload',
      of: `EXISTS (
        SELECT FROM oauth_client c
        WHERE c.tenant_id = $1 AND (t.payload->>'clientId' = c.id::text OR t.payload->'authorizations' ? c.id::text))`,
    },
    { table: 'person_session', of: '$1 IN (t.tenant_id, t.only_tenant)' },
  ],
  last: ['tenant', 'tenant_deletion', 'sandbox_clock'],
  work: [TENANT_DELETION, ADVANCE],
};
