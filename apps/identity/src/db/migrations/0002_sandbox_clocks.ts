import { type Migration, tenantTable } from '@kontor/persistence';

/** How a sandbox tenant's clock is being moved. Where it stands, every service keeps for itself. */
export const sandboxClocks: Migration = {
  name: '0002_sandbox_clocks',
  sql: `
CREATE TABLE sandbox_clock (
  tenant_id uuid PRIMARY KEY,
  status text NOT NULL CHECK (status IN ('ready', 'advancing')),
  target timestamptz,
  parked_before integer,
  problems jsonb NOT NULL,
  CHECK ((status = 'advancing') = (target IS NOT NULL))
);
${tenantTable('sandbox_clock')}
`,
};
