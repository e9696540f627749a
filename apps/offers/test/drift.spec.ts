import { it } from '@jest/globals';
import { CUSTOMER_MERGE_TABLES } from '@kontor/persistence';
import { assertTables } from '@kontor/testing';
import { offersService } from '../src/index.js';

it('rows, migrations and row-level security agree', () =>
  assertTables(offersService, {
    withoutRow: [...CUSTOMER_MERGE_TABLES, 'offer_series'],
  }));
