import { totalmem } from 'node:os';

/** Tuned for one small machine that runs all services. Durable: a commit that was answered is on disk. */
export const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  // Takes memory as it is used. The keys of ten million usage events (430 MB, read and written at random) stay beside all else.
  shared_buffers: `${quarterOfMemory(128, 1024)}MB`,
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_compression: 'on',
  min_wal_size: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  autovacuum_naptime: '30s',
};

/** For tests: nothing has to survive the machine. Killing processes loses nothing either way. */
export const FAST: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
};

/** Megabytes: of the machine's memory, or of what this process may use of it. */
function quarterOfMemory(minMb: number, maxMb: number): number {
  const allowed = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.min(maxMb, Math.max(minMb, Math.floor(allowed / 4 / 1024 / 1024)));
}
