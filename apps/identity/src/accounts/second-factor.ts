import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Sql } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { base32, stepOfCode } from '../secrets/totp.js';
import { digestOf } from '../secrets/digest.js';
import type { Person } from './person.js';
import { SignInLimits } from './sign-in-limits.js';

const RECOVERY_CODES = 10;
const TOTP_BYTES = 20;

/** How a code is compared: without blanks and hyphens, in one case. */
const plain = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/** Codes of an app and recovery codes: what somebody has, beside what somebody knows. Each counts once. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly db: Database,
    private readonly secrets: SecretBox,
    private readonly limits: SignInLimits,
  ) {}

  /** Which of both a code is; null for a wrong one. @throws DomainError 429 `rate_limited` */
  async check(person: Person, code: string, address: string): Promise<'totp' | 'recovery_code' | null> {
    await this.limits.take('code', person.id, address);
    const method = (await this.isAppCode(person, code))
      ? 'totp'
      : (await this.isRecoveryCode(person, code))
        ? 'recovery_code'
        : null;
    if (method) await this.limits.clear('code', person.id, address);
    return method;
  }

  newSecret(): Buffer {
    return randomBytes(TOTP_BYTES);
  }

  /** A secret as it is stored, for one person alone. */
  seal(secret: Buffer, personId: string): string {
    return this.secrets.seal(secret.toString('base64'), personId);
  }

  open(sealed: string, personId: string): Buffer {
    return Buffer.from(this.secrets.open(sealed, personId), 'base64');
  }

  /** The secret that is asked for, which stays so for as long as the transaction lasts. */
  async lockSecret(sql: Sql, personId: string): Promise<Buffer | null> {
    const [row] = await sql.query<{ sealed: string | null }>(
      'SELECT totp_secret AS sealed FROM person WHERE id = $1 FOR NO KEY UPDATE',
      [personId],
    );
    return row?.sealed ? this.open(row.sealed, personId) : null;
  }

  /** Turns codes on: from now on they are asked for. */
  async enable(sql: Sql, person: Person, secret: Buffer, step: number): Promise<void> {
    await sql.query('UPDATE person SET totp_secret = $2, totp_step = $3 WHERE id = $1', [
      person.id,
      this.seal(secret, person.id),
      step,
    ]);
  }

  async disable(sql: Sql, personId: string): Promise<void> {
    await sql.query('UPDATE person SET totp_secret = NULL, totp_step = NULL WHERE id = $1', [personId]);
    await sql.query('DELETE FROM person_recovery_code WHERE person_id = $1', [personId]);
  }

  /** Makes new recovery codes, seen once; the former ones are void. */
  async makeRecoveryCodes(sql: Sql, personId: string): Promise<string[]> {
    const codes = this.newRecoveryCodes();
    await this.saveRecoveryCodes(sql, personId, codes);
    return codes;
  }

  newRecoveryCodes(): string[] {
    const code = (): string => base32(randomBytes(10)).match(/.{4}/g)!.join('-');
    return Array.from({ length: RECOVERY_CODES }, code);
  }

  /** The former ones are void. */
  async saveRecoveryCodes(sql: Sql, personId: string, codes: readonly string[]): Promise<void> {
    await sql.query('DELETE FROM person_recovery_code WHERE person_id = $1', [personId]);
    await sql.query('INSERT INTO person_recovery_code (person_id, digest) SELECT $1, d FROM unnest($2::bytea[]) d', [
      personId,
      codes.map((code) => digestOf(plain(code))),
    ]);
  }

  async recoveryCodesLeft(personId: string): Promise<number> {
    const [row] = await this.db.statement<{ n: number }>(
      'SELECT count(*)::int AS n FROM person_recovery_code WHERE person_id = $1',
      [personId],
    );
    return row!.n;
  }

  private async isAppCode({ id, totpSecret }: Person, code: string): Promise<boolean> {
    if (totpSecret === null) return false;
    const secret = this.open(totpSecret, id);
    const step = stepOfCode(secret, plain(code), new Date());
    if (step === null) return false;
    const used = await this.db.statement(
      'UPDATE person SET totp_step = $2 WHERE id = $1 AND (totp_step IS NULL OR totp_step < $2) RETURNING 1',
      [id, step],
    );
    return used.length > 0;
  }

  private async isRecoveryCode({ id }: Person, code: string): Promise<boolean> {
    const used = await this.db.statement(
      'DELETE FROM person_recovery_code WHERE person_id = $1 AND digest = $2 RETURNING 1',
      [id, digestOf(plain(code))],
    );
    return used.length > 0;
  }
}
