import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'k1';

/**
 * Keeps secrets at rest: each under a data key of its own (AES-256-GCM), the data key under SECRETS_KEY. The key's id is in
 * the text, so that keys can be changed one secret at a time.
 */
export class SecretBox {
  private readonly keyId: string;

  constructor(private readonly key: Buffer) {
    this.keyId = createHash('sha256').update(key).digest('hex').slice(0, 8);
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
    if (keyId !== this.keyId) throw new Error(`sealed under key ${keyId}, SECRETS_KEY is ${this.keyId}`);
    return decrypt(decrypt(this.key, wrapped, this.keyId), body, context).toString();
  }
}

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
