import type { CustomerData } from '@kontor/service-kit';

/** What this service knows of customers: how they got in, which they can no longer afterwards. */
export const customerData: CustomerData = {
  tables: [
    { table: 'login_link', erasure: 'delete', secret: ['digest'] },
    {
      table: 'customer_session',
      erasure: 'delete',
      secret: ['access_digest', 'refresh_digest', 'previous_refresh_digest', 'refresh_family'],
    },
    { table: 'logout_delivery', of: 't.subject = $2::text', erasure: 'delete' },
    {
      table: 'oidc_payload',
      shared: true,
      of: `t.payload->>'accountId' = $2::text`,
      key: 'id_digest',
      erasure: 'delete',
      secret: ['id_digest', 'payload'],
    },
  ],
};
