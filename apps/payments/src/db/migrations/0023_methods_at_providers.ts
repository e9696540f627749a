import { lookupFunction, type Migration } from '@kontor/persistence';

export const methodsAtProviders: Migration = {
  name: 'payments_0023_methods_at_providers',
  sql: `
-- A provider names a method by its own id, whoever's it is.
CREATE INDEX payment_method_at_provider ON payment_method (reference_id)
  WHERE reference_id IS NOT NULL AND deleted_at IS NULL;
${lookupFunction({
  name: 'payment_method_at_provider',
  parameters: 'gateway text, reference text',
  table: 'payment_method',
  columns: ['tenant_id', 'id', 'gateway_name', 'reference_id', 'deleted_at'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT m.tenant_id, m.id FROM payment_method m WHERE m.reference_id = reference AND m.gateway_name = gateway AND m.deleted_at IS NULL',
})}
`,
};
