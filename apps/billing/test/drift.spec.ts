import { it } from '@jest/globals';
import { CUSTOMER_MERGE_TABLES } from '@kontor/persistence';
import { assertTables } from '@kontor/testing';
import { billingService } from '../src/service.js';

it('rows, migrations and row-level security agree', () =>
  assertTables(billingService, { withoutRow: CUSTOMER_MERGE_TABLES }));
