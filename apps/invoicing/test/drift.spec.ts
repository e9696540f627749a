import { it } from '@jest/globals';
import { assertTables } from '@kontor/testing';
import { invoicingService } from '../src/index.js';

it('rows, migrations and row-level security agree', () => assertTables(invoicingService));
