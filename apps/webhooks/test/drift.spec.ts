import { it } from '@jest/globals';
import { CUSTOMER_MERGE_TABLES } from '@kontor/persistence';
import { assertTables } from '@kontor/testing';
import { webhooksService } from '../src/index.js';

it('rows, migrations and row-level security agree', () =>
  assertTables(webhooksService, { withoutRow: CUSTOMER_MERGE_TABLES }));
