import { accessSync, constants } from 'node:fs';

/** The environment cannot be used. The message is one line that says what to do. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads single variables; an empty one counts as absent. @throws ConfigurationError naming the variable. */
export class EnvReader {
  constructor(private readonly env: Environment) {}

  text(name: string): string | undefined;
  text(name: string, fallback: string): string;
  text(name: string, fallback?: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === undefined || value === '' ? fallback : value;
  }

  required(name: string, what: string): string {
    const value = this.text(name);
    if (value === undefined) throw new ConfigurationError(`${name} is not set: ${what}.`);
    return value;
  }

  /** Texts of which all are set, or none. `without`: what would happen otherwise. */
  together<Name extends string>(names: readonly Name[], without: string): Readonly<Record<Name, string | undefined>> {
    const [known] = names.filter((name) => this.text(name) !== undefined);
    const missing = names.filter((name) => this.text(name) === undefined);
    if (known !== undefined && missing.length > 0)
      throw new ConfigurationError(`${known} is set without ${missing.join(' and ')}: ${without}.`);
    return Object.fromEntries(names.map((name) => [name, this.text(name)])) as Record<Name, string | undefined>;
  }

  /** What nobody may guess. */
  longText(name: string, minLength: number): string | undefined {
    const value = this.text(name);
    if (value !== undefined && value.length < minLength)
      throw new ConfigurationError(`${name} must have at least ${minLength} characters.`);
    return value;
  }

  integer(name: string, fallback: number, range: { min: number; max: number }): number {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const number = /^-?\d+$/.test(value) ? Number(value) : NaN;
    if (!(number >= range.min && number <= range.max))
      throw new ConfigurationError(`${name} must be a whole number from ${range.min} to ${range.max}, not "${value}".`);
    return number;
  }

  integers(name: string, fallback: readonly number[], { max }: { max: number }): readonly number[] {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const parts = value.split(',').map((part) => part.trim());
    if (!parts.every((part) => /^\d+$/.test(part) && Number(part) <= max))
      throw new ConfigurationError(`${name} must be whole numbers up to ${max} with commas, not "${value}".`);
    return parts.map(Number);
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : urlOf(name, value, protocols);
  }

  /** Of a PostgreSQL. The driver would say of a file that it cannot read neither what names it nor what it is for. */
  databaseUrl(name: string): string | undefined {
    const value = this.url(name, ['postgres', 'postgresql']);
    const parameters = new URL(value ?? 'postgres:').searchParams;
    for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
      const file = parameters.get(parameter);
      if (file && !isReadable(file))
        throw new ConfigurationError(`The ${parameter} that ${name} names cannot be read: ${file}.`);
    }
    return value;
  }

  /** An address that paths are put behind: without a query, a fragment and credentials, which would stand in the middle. */
  baseUrl(name: string): string | undefined {
    const value = this.url(name, ['http', 'https']);
    if (value === undefined) return undefined;
    const { search, hash, username, password } = new URL(value);
    if (search || hash || username || password || /[?#]/.test(value))
      throw new ConfigurationError(`${name} must be a URL without a query, a fragment and credentials.`);
    return value.replace(/\/+$/, '');
  }

  /** An address whose paths are given: nothing may stand behind its host and port. Without a trailing slash. */
  origin(name: string): string | undefined {
    const value = this.baseUrl(name);
    if (value === undefined) return undefined;
    const { origin, pathname } = new URL(value);
    if (pathname !== '/') throw new ConfigurationError(`${name} must be a URL without a path, such as ${origin}.`);
    return origin;
  }

  /** URLs with commas; none when it is not set. */
  urls(name: string, protocols: readonly string[]): readonly string[] {
    return this.texts(name).map((value) => urlOf(name, value, protocols));
  }

  /** `host:port`, with commas; at least one. */
  addresses(name: string, what: string): readonly string[] {
    this.required(name, what);
    const addresses = this.texts(name);
    if (addresses.length === 0 || !addresses.every(isAddress))
      throw new ConfigurationError(`${name} must be host:port, with commas: ${what}.`);
    return addresses;
  }

  mailAddress(name: string, fallback: string): string {
    const value = this.text(name, fallback);
    if (!/^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/.test(value))
      throw new ConfigurationError(`${name} must be an e-mail address alone, such as billing@example.com.`);
    return value;
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.text(name, fallback) as T;
    if (!values.includes(value))
      throw new ConfigurationError(`${name} must be one of ${values.join(', ')}, not "${value}".`);
    return value;
  }

  /** 32 bytes as 64 hex digits or base64. */
  key(name: string, what: string): Buffer {
    return keyOf(name, this.required(name, what));
  }

  /** Keys with commas; none when it is not set. */
  keys(name: string): readonly Buffer[] {
    return this.texts(name).map((value) => keyOf(name, value));
  }

  /** Texts with commas. */
  texts(name: string): readonly string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '');
  }
}

function urlOf(name: string, value: string, protocols: readonly string[]): string {
  const { protocol, hostname } = URL.canParse(value) ? new URL(value) : { protocol: '', hostname: '' };
  // The host of a PostgreSQL server may stand behind the question mark: a folder, for its socket.
  const isComplete = hostname !== '' || protocol.startsWith('postgres');
  if (!protocols.includes(protocol.slice(0, -1)) || !isComplete)
    throw new ConfigurationError(`${name} must be a URL (${protocols.map((each) => `${each}://…`).join(' or ')}).`);
  return value;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function isAddress(value: string): boolean {
  const [, port] = /^(?:[^\s:/@[\]]+|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(value) ?? [];
  return port !== undefined && Number(port) > 0 && Number(port) <= 65_535;
}

function keyOf(name: string, value: string): Buffer {
  const bytes = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64');
  if (bytes.length !== 32) throw new ConfigurationError(`${name} must be 32 bytes, as 64 hex digits or base64.`);
  return bytes;
}
