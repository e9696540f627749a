import type { BusPort } from '@kontor/messaging';
import type { StorageGuard } from '@kontor/persistence';
import type { DestinationStream } from 'pino';
import type { Environment } from '../config/env-reader.js';
import type { ServiceDirectory } from '../internal/service-directory.js';

export interface DatabaseUrls {
  /** Owns the schema: migrations only. */
  readonly ownerUrl: string;
  /** Bound by row-level security: everything else. */
  readonly appUrl: string;
  readonly ingestUrl?: string | null;
}

export interface StartOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host?: string;
  readonly bus: BusPort;
  readonly databaseUrls: DatabaseUrls;
  readonly directory: ServiceDirectory;
  readonly env: Environment;
  /** Where log lines go; standard output unless given. */
  readonly logStream?: DestinationStream;
  /** Given where several services share the disk: started and stopped by whoever gives it. */
  readonly storage?: StorageGuard;
  /** Real time; replaced in tests. */
  readonly clock?: () => Date;
  /** Metrics of the process itself, once per process. */
  readonly processMetrics?: boolean;
}
