import { it } from '@jest/globals';
import { assertTables } from '@kontor/testing';
import { identityService } from '../src/service.js';

it('rows, migrations and row-level security agree', () => assertTables(identityService));
