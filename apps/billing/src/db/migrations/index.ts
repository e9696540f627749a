import type { Migration } from '@kontor/persistence';
import { customers } from './0001_customers.js';
import { settings } from './0002_settings.js';
import { catalogue } from './0003_catalogue.js';

/** In the order in which they are applied. */
export const catalogueMigrations: Migration[] = [customers, settings, catalogue];
