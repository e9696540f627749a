import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const digest = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** What an answer differs in from an honest one. */
export interface Lie {
  readonly origin?: string;
  readonly site?: string;
  readonly type?: string;
  readonly isPresent?: boolean;
  readonly isVerified?: boolean;
  readonly transports?: unknown;
}

/** A device with one passkey that says what a test wants it to say. @see https://www.w3.org/TR/webauthn-3/ */
export class SoftAuthenticator {
  counter = 0;
  id = randomBytes(16);
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(private readonly origin: string) {}

  create(challenge: string, lie: Lie = {}): object {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const [left, right] = [x!, y!].map((part) => Buffer.from(part, 'base64url'));
    // A map of an EC2 key on P-256 for ES256, as COSE writes it.
    const key = ['a5010203262001215820', left!.toString('hex'), '225820', right!.toString('hex')].join('');
    const data = Buffer.concat([
      this.data(lie, 0x40),
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      Buffer.from(key, 'hex'),
    ]);
    // {"fmt": "none", "attStmt": {}, "authData": …} as CBOR.
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a06861757468446174615900', 'hex');
    const attestationObject = base64url(Buffer.concat([head, Buffer.from([data.length]), data]));
    const { transports = ['internal'] } = lie;
    const clientDataJSON = base64url(this.client('webauthn.create', challenge, lie));
    return this.answer({ clientDataJSON, attestationObject, transports });
  }

  get(challenge: string, lie: Lie = {}): object {
    const [data, client] = [this.data(lie, 0), this.client('webauthn.get', challenge, lie)];
    const signature = sign('sha256', Buffer.concat([data, digest(client)]), this.keys.privateKey);
    return this.answer({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    });
  }

  private data({ site, isPresent = true, isVerified = true }: Lie, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const said = flags | (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0);
    return Buffer.concat([digest(site ?? new URL(this.origin).hostname), Buffer.from([said]), counter]);
  }

  private client(type: string, challenge: string, lie: Lie): Buffer {
    return Buffer.from(
      JSON.stringify({ type: lie.type ?? type, challenge, origin: lie.origin ?? this.origin, crossOrigin: false }),
    );
  }

  private answer(response: object): object {
    const id = base64url(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
