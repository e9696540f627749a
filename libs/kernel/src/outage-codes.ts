/** Codes of Node.js and of the operating system by which another process cannot be reached now, or not be found by its name. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  // No local port, or no memory for a socket, is left.
  'EADDRNOTAVAIL',
  'ENOBUFS',
  // Name services.
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_MEMORY',
  'EAI_SYSTEM',
  'ERR_SOCKET_CLOSED',
]);

/** The file system of this process takes or gives nothing now: read-only after a fault, of another owner, away, full, without files left. */
const FILES = new Set([
  ...['EROFS', 'EACCES', 'EPERM', 'EIO', 'ENXIO', 'ESTALE', 'ENOTDIR'],
  ...['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'],
]);

/** No thread, process or memory is left on this machine. */
const MACHINE = new Set(['ERR_WORKER_INIT_FAILED', 'EAGAIN', 'ENOMEM']);

/** An encrypted connection that does not come about: a certificate that is over, say. */
const ENCRYPTION = /^ERR_(SSL|TLS)_|^CERT_|^UNABLE_TO_(GET|VERIFY)_/;

/**
 * PostgreSQL takes no work now, or none of ours (28: a password that was changed), or (25006, after a change of the leading server) only
 * reads; a lock was not to be had (55P03), a transaction was undone (40) or took too long.
 */
const DATABASE = /^(08|28|3D|40|53|57P|58|57014|25006|25P03|25P04|55P03)/;

/** Whether the `code` of an error says that what it was asked of cannot do it now: the same will succeed later, without anybody's help. */
export const saysOutage = (code: string): boolean =>
  NETWORK.has(code) ||
  FILES.has(code) ||
  MACHINE.has(code) ||
  ENCRYPTION.test(code) ||
  (code.length === 5 && DATABASE.test(code));

const LOST = /connection terminated|connection error|read timeout|timeout exceeded when trying to connect/i;

/** Whether an error's message says that a connection to the database was lost, or not to be had: such errors of the driver have no code. */
export const saysLostConnection = (message: string): boolean => LOST.test(message);
