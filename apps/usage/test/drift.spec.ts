import { it } from '@jest/globals';
import { assertTables } from '@kontor/testing';
import { usageService } from '../src/index.js';

it('rows, migrations and row-level security agree', () =>
  assertTables(usageService, {
    withoutPolicy: ['usage_tenant', 'usage_intake_offset', 'usage_intake_parked'],
  }));
