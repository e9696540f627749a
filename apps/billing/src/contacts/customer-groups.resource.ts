import { catalogueController } from '../catalogue/catalogue-controller.js';
import type { CatalogueResource } from '../catalogue/catalogue-resource.js';
import * as tables from '../db/tables.js';
import type { CustomerGroupRow } from '../db/contact.row.js';
import { textOrNull } from '../fields.js';
import { CustomerGroupDto } from './contact.dto.js';
import { type CustomerGroupJson, customerGroupSchema } from './contact.schema.js';

const represent = (row: CustomerGroupRow): CustomerGroupJson => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const customerGroups: CatalogueResource<CustomerGroupRow, CustomerGroupDto> = {
  kind: 'customer_group',
  label: 'customer group',
  constraints: { customer_group_name_unique: 'name' },
  listed: {
    table: tables.customerGroups,
    columns: { status: 'status', name: 'name', createdAt: 'created_at' },
    search: ['name', 'description'],
  },
  columns: async (_tx, body) => ({ name: body.name.trim(), description: textOrNull(body.description) }),
  represent: async (_tx, rows) => rows.map(represent),
};

export const CustomerGroupsController = catalogueController({
  path: 'customer-groups',
  tag: 'Customers',
  permission: 'customer',
  names: ['CustomerGroup', 'CustomerGroups'],
  labels: ['customer group', 'customer groups'],
  body: CustomerGroupDto,
  response: customerGroupSchema,
  list: { filters: { status: ['active', 'archived'], name: 'text' }, order: ['name', 'createdAt'], search: true },
  resource: () => customerGroups,
});
