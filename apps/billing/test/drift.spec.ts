import { it } from '@jest/globals';
import { assertTables } from '@kontor/testing';
import { billingService } from '../src/service.js';

it('rows, migrations and row-level security agree', () => assertTables(billingService));
