import type { ReplicaKind, ServiceName } from '@kontor/contracts';
import { messagingMigrations } from '@kontor/messaging';
import { type Migration, persistenceMigrations, type RetentionRule } from '@kontor/persistence';
import type { ServiceConfig } from '../config/service-config.js';
import type { ServiceInvariant } from '../invariants/check-invariants.js';
import type { SealedColumn } from './rewrap-secrets.js';
import type { CustomerData } from '../personal-data/customer-table.js';
import type { TenantData } from '../personal-data/tenant-data.js';
import { erasureMigration, retentionMigration } from '../personal-data/erasure-migration.js';
import { replicaBackfillMigration } from '../replicas/replica-backfill.js';

export interface ServiceDefinition {
  readonly name: ServiceName;
  /** The service's own Nest module. */
  readonly module: Function;
  /** Its own migrations; those of the libs come before. */
  readonly migrations: readonly Migration[];
  readonly rows: readonly Function[];
  /** Kinds of other services' objects that it keeps copies of. */
  readonly replicas: readonly ReplicaKind[];
  /** Needs the role that may only insert into leaf partitions. */
  readonly ingest?: boolean;
  /** Its promises about its own data, for `npm run check:invariants` and the hourly check. */
  readonly invariants?: readonly ServiceInvariant[];
  /** Where it keeps sealed secrets. */
  readonly sealed?: readonly SealedColumn[];
  /** What it deletes some time after it came, in this order. */
  readonly retention?: (config: ServiceConfig) => readonly RetentionRule[];
  /** What it knows of customers: for their anonymization and for the export of what is stored of them. */
  readonly customerData: CustomerData;
  /** What stays of a tenant that is deleted; everything else goes. */
  readonly tenantData?: TenantData;
}

/** What an app exports: everything that both shapes need to run it. */
export const defineService = (definition: ServiceDefinition): ServiceDefinition => definition;

/** All migrations of a service's database, in order. */
export const migrationsOf = (definition: ServiceDefinition): Migration[] => [
  ...persistenceMigrations,
  ...messagingMigrations,
  replicaBackfillMigration,
  erasureMigration,
  retentionMigration,
  ...definition.migrations,
];
