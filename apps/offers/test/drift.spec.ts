import { it } from '@jest/globals';
import { assertTables } from '@kontor/testing';
import { offersService } from '../src/index.js';

it('rows, migrations and row-level security agree', () =>
  assertTables(offersService, {
    withoutRow: ['offer_series'],
  }));
