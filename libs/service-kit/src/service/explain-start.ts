import {
  BusyDatabaseError,
  ForeignDatabaseError,
  MixedDatabasesError,
  NewerDatabaseError,
  OldServerError,
  PostgresStartError,
} from '@kontor/persistence';
import { ConfigurationError } from '../config/env-reader.js';

const REFUSALS = [
  BusyDatabaseError,
  ConfigurationError,
  ForeignDatabaseError,
  MixedDatabasesError,
  NewerDatabaseError,
  OldServerError,
  PostgresStartError,
];
const FULL = 'The disk is full: make room where the data folder is, then start again.';

const STOPPING = 'The database is starting or stopping: start again when it answers.';

/** Codes of the operating system and of PostgreSQL to what its reader can do. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  '53100': FULL,
  EDQUOT: 'The disk quota is used up: make room where the data folder is, then start again.',
  EROFS: 'The data folder is on a read-only file system: set DATA_DIR to a folder of yours.',
  EACCES: 'A file of the data folder cannot be opened: it belongs to another user; set DATA_DIR to a folder of yours.',
  ENOTDIR: 'The data folder is a file, or lies below one: set DATA_DIR to a folder of yours.',
  EMFILE: 'Too many files are open: raise the limit (ulimit -n).',
  '28P01':
    'The database refuses the password: check the one in DATABASE_ADMIN_URL, DATABASE_URL and DATABASE_OWNER_URL.',
  '28000': 'The database refuses the user: check the one in DATABASE_ADMIN_URL, DATABASE_URL and DATABASE_OWNER_URL.',
  '53300':
    'The database has no connection left: raise its max_connections, or set a smaller DATABASE_POOL_SIZE for the services.',
  '57P01': STOPPING,
  '57P02': STOPPING,
  '57P03': STOPPING,
  '25006':
    'The database takes no writes: name the server that does in DATABASE_ADMIN_URL, DATABASE_URL and DATABASE_OWNER_URL.',
  '42501':
    'The database user may not do that: what the ones in DATABASE_ADMIN_URL, DATABASE_URL and DATABASE_OWNER_URL need is in deploy/README.md.',
  '42704':
    'The database has not all that a service needs, such as its roles: what is made for DATABASE_URL and DATABASE_OWNER_URL is in deploy/README.md.',
  '3D000': 'The database does not exist: check its name in DATABASE_ADMIN_URL, DATABASE_URL and DATABASE_OWNER_URL.',
};
const ENCRYPTION = /CERT|UNABLE_TO_(GET|VERIFY)|^ERR_(SSL|TLS)/;
/** Of `ServerConnection`. */
const NOT_CONNECTED = '08004';
const LOST = /\bConnection terminated|\btimeout\b|\btimed out\b/;
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

const NOT_OURS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL']);

/** For an error of listening, which looks like one of asking elsewhere. @throws ConfigurationError where the address is to blame */
export function refuseHost(host: string): (error: Error) => never {
  return (error) => {
    if (!NOT_OURS.has((error as StartError).code ?? '')) throw error;
    throw new ConfigurationError(`HOST must be an address of this machine, or 0.0.0.0 for all of them, not "${host}".`);
  };
}

interface StartError {
  readonly message?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly port?: number;
}

/** Why something does not start, in one line where the reader can do something about it; undefined for a fault of ours. */
export function startAdvice(error: unknown): string | undefined {
  const { message = '', code = '', reason, port } = error as StartError;
  if (REFUSALS.some((refusal) => error instanceof refusal)) return message;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: set PORT, or METRICS_PORT where it is that one, to another one.`;
  if (UNREACHABLE.has(code))
    return `A server that is needed cannot be reached (${message || code}): start it, or check its address.`;
  if (ENCRYPTION.test(code) || / SSL connections$/.test(message))
    return `The connection to a server cannot be encrypted as its address asks for (${message}): see sslmode, and its certificate.`;
  if (code === NOT_CONNECTED)
    return `The database lets nobody in (${message}): allow it (ALTER DATABASE, GRANT CONNECT); what users need is in deploy/README.md.`;
  if (LOST.test(message))
    return `The database ended or did not answer while the system started (${message}): see its log, and whether its disk is full.`;
  return ADVICE[reason === 'storage_full' ? 'ENOSPC' : code];
}
