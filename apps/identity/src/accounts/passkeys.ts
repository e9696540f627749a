import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUuid, newUuid } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { digestOf } from '../secrets/digest.js';
import { aboutPeople, noteAccountEvent } from './account-events.js';
import { stillHolds } from './person-sessions.js';
import { fullName, type Person, personById, single } from './person.js';

/** What passkeys are bound to: the name of the site, and its exact origin. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

export interface Passkey {
  readonly id: string;
  readonly credentialId: string;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
}

/** What a browser sends back: its answer, as JSON, and the challenge that it was asked with. */
export interface PasskeyAnswer {
  readonly response: string;
  readonly challenge: string;
}

interface StoredPasskey {
  readonly id: string;
  readonly personId: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: string;
}

const LIFE_MS = 10 * 60_000;
const MAX_PASSKEYS = 20;
const NAME = 'Kontor';
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

type Purpose = 'create' | 'get';

/** Loaded when the first passkey is asked for: it takes 14 MB. */
const webauthn = () => import('@simplewebauthn/server');

/**
 * Passkeys of people (WebAuthn): with one somebody signs in without a password and without a code, because a device that was unlocked
 * for it is two factors. Challenges carry their own proof, so that asking stores nothing; each counts once.
 */
@Injectable()
export class Passkeys {
  private readonly key: Buffer;

  constructor(
    private readonly db: Database,
    config: ServiceConfig,
  ) {
    this.key = createHmac('sha256', config.secretsKey).update('passkey-challenges').digest();
  }

  of(personId: string): Promise<Passkey[]> {
    return this.db.statement<Passkey>(
      `SELECT id, credential_id AS "credentialId", transports, name, created_at AS "createdAt" FROM person_passkey
       WHERE person_id = $1 ORDER BY created_at, id LIMIT ${MAX_PASSKEYS}`,
      [personId],
    );
  }

  /** What a browser needs to make a passkey; null where there are enough. */
  async creationOptions(person: Person, known: readonly Passkey[], party: RelyingParty) {
    if (known.length >= MAX_PASSKEYS) return null;
    const challenge = this.newChallenge('create', person.id);
    const options = await (
      await webauthn()
    ).generateRegistrationOptions({
      rpName: NAME,
      rpID: party.id,
      userName: person.email,
      userDisplayName: fullName(person),
      userID: Uint8Array.from(Buffer.from(person.id.replaceAll('-', ''), 'hex')),
      challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: known.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      })),
    });
    return { challenge, options };
  }

  async add(person: Person, name: string, answer: PasskeyAnswer, party: RelyingParty): Promise<boolean> {
    const response = parse<RegistrationResponseJSON>(answer.response);
    if (!response || !(await this.useChallenge('create', person.id, answer.challenge))) return false;
    const { registrationInfo: info } = await (
      await webauthn()
    )
      .verifyRegistrationResponse({
        response,
        expectedChallenge: answer.challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
      })
      .catch(nothing);
    if (!info) return false;
    const { id: credentialId, publicKey, counter, transports } = info.credential;
    return aboutPeople(this.db, async (tx) => {
      if (!(await stillHolds(tx, person))) return false;
      const added = await tx.query(
        `INSERT INTO person_passkey (id, person_id, credential_id, public_key, counter, transports, name, created_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, now()
         WHERE (SELECT count(*) FROM person_passkey WHERE person_id = $2) < ${MAX_PASSKEYS}
         ON CONFLICT DO NOTHING RETURNING 1`,
        [
          newUuid(),
          person.id,
          credentialId,
          Buffer.from(publicKey),
          counter,
          JSON.stringify(knownOf(transports)),
          name,
        ],
      );
      if (added.length === 0) return false;
      await noteAccountEvent(tx, { type: 'passkey.added', personId: person.id, metadata: { name } });
      return true;
    });
  }

  async remove(personId: string, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    return aboutPeople(this.db, async (tx) => {
      const [removed] = await tx.query<{ name: string }>(
        'DELETE FROM person_passkey WHERE person_id = $1 AND id = $2 RETURNING name',
        [personId, id],
      );
      if (!removed) return false;
      await noteAccountEvent(tx, { type: 'passkey.removed', personId, metadata: { name: removed.name } });
      return true;
    });
  }

  /** What a browser needs to sign somebody in, whoever it is. */
  async requestOptions(party: RelyingParty) {
    const challenge = this.newChallenge('get', '');
    const options = await (
      await webauthn()
    ).generateAuthenticationOptions({
      rpID: party.id,
      challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
      userVerification: 'required',
    });
    return { challenge, options };
  }

  /** Whom a passkey signs in; null for all that is wrong alike. */
  async signIn(answer: PasskeyAnswer, party: RelyingParty): Promise<Person | null> {
    const response = parse<AuthenticationResponseJSON>(answer.response);
    if (!response || typeof response.id !== 'string' || !(await this.useChallenge('get', '', answer.challenge)))
      return null;
    const [passkey] = await this.db.statement<StoredPasskey>(
      `SELECT id, person_id AS "personId", credential_id AS "credentialId", public_key AS "publicKey", counter::text
       FROM person_passkey WHERE credential_id = $1`,
      [response.id],
    );
    if (!passkey) return null;
    const { verified, authenticationInfo } = await (
      await webauthn()
    )
      .verifyAuthenticationResponse({
        response,
        expectedChallenge: answer.challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
        credential: {
          id: passkey.credentialId,
          publicKey: Uint8Array.from(passkey.publicKey),
          counter: Number(passkey.counter),
        },
      })
      .catch(() => ({ verified: false, authenticationInfo: null }));
    if (!verified || !authenticationInfo) return null;
    // A copy of the device that shows an older counter is noticed, also by two requests of the same moment.
    const used = await this.db.statement(
      `UPDATE person_passkey SET counter = $2, last_used_at = now()
       WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING 1`,
      [passkey.id, authenticationInfo.newCounter],
    );
    return used.length > 0 ? personById(single(this.db), passkey.personId) : null;
  }

  /** 16 random bytes, when it ends, and a proof that it was made here for this purpose and person. */
  private newChallenge(purpose: Purpose, personId: string): string {
    const body = Buffer.alloc(24);
    randomBytes(16).copy(body);
    body.writeBigUInt64BE(BigInt(Date.now() + LIFE_MS), 16);
    return Buffer.concat([body, this.proofOf(body, purpose, personId)]).toString('base64url');
  }

  private async useChallenge(purpose: Purpose, personId: string, challenge: string): Promise<boolean> {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== 56 || bytes.toString('base64url') !== challenge) return false;
    const [body, proof] = [bytes.subarray(0, 24), bytes.subarray(24)];
    if (!timingSafeEqual(proof, this.proofOf(body, purpose, personId))) return false;
    const endsAt = new Date(Number(body.readBigUInt64BE(16)));
    if (endsAt.getTime() <= Date.now()) return false;
    const first = await this.db.statement(
      `INSERT INTO person_token (digest, purpose, payload, expires_at) VALUES ($1, 'passkey', '{}', $2)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [digestOf(challenge), endsAt],
    );
    return first.length > 0;
  }

  private proofOf(body: Buffer, purpose: Purpose, personId: string): Buffer {
    return createHmac('sha256', this.key).update(`${purpose} ${personId} `).update(body).digest();
  }
}

/** Of what a browser said of the ways to a passkey, what is one. @see WebAuthn Level 3, 5.8.4 */
const knownOf = (transports: unknown): string[] =>
  Array.isArray(transports) ? TRANSPORTS.filter((transport) => transports.includes(transport)) : [];

const nothing = (): { registrationInfo?: undefined } => ({});

function parse<T extends object>(json: string): T | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}
