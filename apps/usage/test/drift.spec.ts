import { it } from '@jest/globals';
import { CUSTOMER_MERGE_TABLES } from '@kontor/persistence';
import { assertTables } from '@kontor/testing';
import { usageService } from '../src/index.js';

it('rows, migrations and row-level security agree', () =>
  assertTables(usageService, {
    withoutRow: CUSTOMER_MERGE_TABLES,
    withoutPolicy: ['usage_tenant', 'usage_intake_offset', 'usage_intake_parked'],
  }));
