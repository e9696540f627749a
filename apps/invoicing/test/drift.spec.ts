import { it } from '@jest/globals';
import { CUSTOMER_MERGE_TABLES } from '@kontor/persistence';
import { assertTables } from '@kontor/testing';
import { invoicingService } from '../src/index.js';

it('rows, migrations and row-level security agree', () =>
  assertTables(invoicingService, { withoutRow: [...CUSTOMER_MERGE_TABLES, 'erased_document', 'document_logo'] }));
