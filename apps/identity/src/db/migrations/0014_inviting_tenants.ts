import { lookupFunction, type Migration } from '@kontor/persistence';

/** Which tenant waits for somebody's answer to its invitation, the latest one first. */
export const invitingTenants: Migration = {
  name: '0014_inviting_tenants',
  sql: `
CREATE INDEX user_invitation_address ON user_invitation (lower(email)) WHERE status = 'pending';
${lookupFunction({
  name: 'tenant_inviting',
  parameters: 'wanted text',
  table: 'user_invitation',
  columns: ['tenant_id', 'email', 'status', 'created_at', 'expires_at'],
  returns: 'tenant_id uuid',
  body: `SELECT i.tenant_id FROM user_invitation i
    WHERE lower(i.email) = lower(wanted) AND i.status = 'pending' AND i.expires_at > now()
    ORDER BY i.created_at DESC LIMIT 1`,
})}
`,
};
