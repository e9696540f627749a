import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'k1';

/**
 * Keeps secrets at rest: each under a data key of its own (AES-256-GCM), the data key under SECRETS_KEY. The key's id is in
 * the text, so that keys can be changed one secret at a time.
 */
export class SecretBox {
  private readonly keyId: string;
  private readonly previous: ReadonlyMap<string, Buffer>;

  /** What was sealed under `previous` keys can be opened, too. */
  constructor(
    private readonly key: Buffer,
    previous: readonly Buffer[] = [],
  ) {
    this.keyId = idOf(key);
    this.previous = new Map(previous.map((old) => [idOf(old), old]));
  }

  get hasPreviousKeys(): boolean {
    return this.previous.size > 0;
  }

  /** With what everything begins that is sealed under the present key. */
  get prefix(): string {
    return `${VERSION}.${this.keyId}.`;
  }

  /** `context` (such as the row's id) must be the same when opening: a sealed text cannot be moved to another row. */
  seal(secret: string, context = ''): string {
    const dataKey = randomBytes(32);
    return [
      VERSION,
      this.keyId,
      encrypt(this.key, dataKey, this.keyId),
      encrypt(dataKey, Buffer.from(secret), context),
    ].join('.');
  }

  /** @throws Error when the text was changed or sealed under another key or context. */
  open(sealed: string, context = ''): string {
    const [version, keyId, wrapped, body] = sealed.split('.');
    if (version !== VERSION || !wrapped || !body) throw new Error('not a sealed secret');
    return decrypt(this.unwrap(keyId!, wrapped), body, context).toString();
  }

  /** The same secret under the present key. @throws Error when it is under a key that is not known. */
  rewrap(sealed: string): string {
    const [version, keyId, wrapped, body] = sealed.split('.');
    if (version !== VERSION || !wrapped || !body) throw new Error('not a sealed secret');
    return this.prefix + [encrypt(this.key, this.unwrap(keyId!, wrapped), this.keyId), body].join('.');
  }

  private unwrap(keyId: string, wrapped: string): Buffer {
    const key = keyId === this.keyId ? this.key : this.previous.get(keyId);
    if (!key) throw new Error(`sealed under key ${keyId}, SECRETS_KEY is ${this.keyId}`);
    return decrypt(key, wrapped, keyId);
  }
}

const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

function encrypt(key: Buffer, plain: Buffer, context: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function decrypt(key: Buffer, text: string, context: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
}
