import { defineService } from '@kontor/service-kit';
import { InvoicingModule } from './app.module.js';
import { invoicingMigrations } from './db/migrations/index.js';
import { invoicingRows } from './rows.js';
import { FILE_INVARIANTS, INVARIANTS } from './invoices/check-invariants.js';
import { customerData } from './customer-data.js';
import { tenantData } from './tenant-data.js';

export const invoicingService = defineService({
  name: 'invoicing',
  module: InvoicingModule,
  migrations: invoicingMigrations,
  rows: invoicingRows,
  replicas: ['tenant', 'customer', 'settings', 'tax_group', 'product', 'unit', 'payment_method'],
  invariants: [...INVARIANTS, ...FILE_INVARIANTS],
  customerData,
  tenantData,
});
