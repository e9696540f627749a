import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { type Environment, EnvReader } from './env-reader.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The environment, read and checked once at the start. Names and defaults: README "Configuration". */
export class ServiceConfig {
  readonly read: EnvReader;
  /** One process with all services: mails and links then stay on this machine. */
  readonly embedded: boolean;
  readonly host: string;
  readonly dataDir: string;
  /** Content-addressed files of this service; shared by its replicas. */
  readonly blobDir: string;
  /** Address under which clients reach the gateway, without a trailing slash: links in mails and answers. */
  readonly publicUrl: string;
  readonly logLevel: LogLevel;
  /** Signs the tokens between the gateway and the services. */
  readonly internalSecret: string;
  /** Key of everything that is encrypted at rest. */
  readonly secretsKey: Buffer;
  /** Earlier ones, the latest first: what is under them can still be read. */
  readonly previousSecretsKeys: readonly Buffer[];
  readonly poolSize: number;
  /** With less free than this nothing is written any more. */
  readonly storageReserveBytes: number;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly viesUrl: string | undefined;
  readonly exchangeRatesUrl: string | undefined;
  readonly webhookRetrySeconds: readonly number[];
  /** How long an answered Idempotency-Key is remembered. */
  readonly idempotencyDays: number;
  /** How long published events are kept for receivers, with what was too large for them; null for ever. */
  readonly eventLogDays: number | null;
  /** Connects as the role that may only insert into leaf partitions; null where there is none. */
  ingestUrl: string | null = null;

  constructor(
    readonly serviceName: string,
    env: Environment,
  ) {
    const read = new EnvReader(env);
    this.read = read;
    this.embedded = read.oneOf('KONTOR_SHAPE', ['embedded', 'distributed'], 'distributed') === 'embedded';
    this.host = read.text('HOST', '127.0.0.1');
    this.dataDir = resolve(read.text('DATA_DIR', './.data'));
    this.blobDir = join(this.dataDir, 'blobs', serviceName);
    this.publicUrl =
      read.baseUrl('PUBLIC_URL') ?? `http://127.0.0.1:${read.integer('GATEWAY_PORT', 3000, { min: 1, max: 65_535 })}`;
    this.logLevel = read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info');
    this.secretsKey = read.key('SECRETS_KEY', 'make one with "openssl rand -hex 32" and give every service the same');
    this.previousSecretsKeys = read.keys('SECRETS_KEY_PREVIOUS');
    this.internalSecret =
      read.longText('INTERNAL_SECRET', 32) ??
      createHash('sha256').update('internal-tokens').update(this.secretsKey).digest('hex');
    this.poolSize = read.integer('DATABASE_POOL_SIZE', this.embedded ? 4 : 10, { min: 2, max: 200 });
    this.storageReserveBytes = read.integer('STORAGE_RESERVE_MB', 256, { min: 0, max: 1_000_000 }) * 1024 * 1024;
    this.smtpUrl = read.url('SMTP_URL', ['smtp', 'smtps']);
    this.mailFrom = read.mailAddress('MAIL_FROM', 'billing@localhost');
    this.viesUrl = read.url('VIES_URL', ['http', 'https']);
    this.exchangeRatesUrl = read.url('EXCHANGE_RATES_URL', ['http', 'https']);
    this.idempotencyDays = read.integer('IDEMPOTENCY_KEY_DAYS', 30, { min: 1, max: 36_500 });
    this.eventLogDays = this.days('EVENT_LOG_DAYS', 90);
    this.webhookRetrySeconds = read.integers('WEBHOOK_RETRY_SECONDS', [60, 600, 3600], { max: 30 * 86_400 });
  }

  /** For how many days something is kept; null keeps it for ever, also when it is set to 0. */
  days(name: string, fallback: number): number | null {
    return this.read.integer(name, fallback, { min: 0, max: 36_500 }) || null;
  }

  /** A variable that only this service reads; an empty one counts as absent. */
  text(name: string): string | undefined {
    return this.read.text(name);
  }
}
