import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Sql } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { base32, stepOfCode } from '../secrets/totp.js';
import { digestOf } from '../secrets/digest.js';
import { aboutPeople, noteAccountEvent } from './account-events.js';
import { dropTokens, lookAtToken, passToken, type TokenPurpose } from './one-time-tokens.js';
import { type Person, single } from './person.js';
import { SignInLimits } from './sign-in-limits.js';

const RECOVERY_CODES = 10;
const TOTP_BYTES = 20;

/** How a code is compared: without blanks and hyphens, in one case. */
const plain = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

type CodeMethod = 'totp' | 'recovery_code';

/** A sign-in that waits for a code, by a token that only its browser has. */
interface WaitingSignIn {
  readonly purpose: Extract<TokenPurpose, 'second_factor' | 'company_code'>;
  readonly token: string;
}

/** What let a sign-in pass: a code, of which the digest is kept. */
interface Passed {
  readonly method: CodeMethod;
  readonly by: string;
}

/** Codes of an app and recovery codes: what somebody has, beside what somebody knows. Each counts once. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly db: Database,
    private readonly secrets: SecretBox,
    private readonly limits: SignInLimits,
  ) {}

  /** Which of both a code is; null for a wrong one. @throws DomainError 429 `rate_limited` */
  check(person: Person, code: string, address: string): Promise<CodeMethod | null> {
    return this.counted(person, address, () => this.use(single(this.db), person, code));
  }

  /**
   * Lets a sign-in pass that waits for a code, once; `gone`: none waits by this token. Who clicks twice is let in by both: a browser shows
   * what the second click is answered. @throws DomainError 429 `rate_limited`
   */
  async pass(
    { purpose, token }: WaitingSignIn,
    person: Person,
    code: string,
    address: string,
  ): Promise<CodeMethod | 'gone' | null> {
    const by = digestOf(`${token} ${plain(code)}`).toString('base64url');
    const passedBy = async (sql: Sql): Promise<Passed | 'gone' | null> => {
      const open = await lookAtToken<{ passed?: Passed }>(sql, purpose, token);
      const passed = open?.payload.passed ?? null;
      return open && (passed === null || passed.by === by) ? passed : 'gone';
    };
    const before = await passedBy(single(this.db));
    if (before) return before === 'gone' ? before : before.method;
    return this.counted(person, address, () =>
      aboutPeople(this.db, async (tx) => {
        const method = await this.use(tx, person, code);
        if (method) return (await passToken(tx, purpose, token, { method, by } satisfies Passed)) ? method : 'gone';
        // Where the code was used by a click of the same moment, that one has committed by now.
        const meanwhile = await passedBy(tx);
        return meanwhile && meanwhile !== 'gone' ? meanwhile.method : meanwhile;
      }),
    );
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

  /** Turns codes off, and what waits for one. Passkeys stay. `by`: who did it, where that was not the person. */
  async disable(tx: TenantTx, personId: string, by?: 'operator'): Promise<void> {
    await tx.query('UPDATE person SET totp_secret = NULL, totp_step = NULL WHERE id = $1', [personId]);
    await tx.query('DELETE FROM person_recovery_code WHERE person_id = $1', [personId]);
    await dropTokens(tx, personId, ['totp_setup', 'second_factor', 'company_code']);
    await noteAccountEvent(tx, { type: 'totp.disabled', personId, ...(by && { metadata: { by } }) });
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

  private async counted<T extends CodeMethod | 'gone' | null>(
    { id }: Person,
    address: string,
    check: () => Promise<T>,
  ): Promise<T> {
    await this.limits.take('code', id, address);
    const method = await check();
    if (method && method !== 'gone') await this.limits.clear('code', id, address);
    return method;
  }

  private async use(sql: Sql, person: Person, code: string): Promise<CodeMethod | null> {
    if (await this.isAppCode(sql, person, code)) return 'totp';
    return (await this.isRecoveryCode(sql, person, code)) ? 'recovery_code' : null;
  }

  private async isAppCode(sql: Sql, { id, totpSecret }: Person, code: string): Promise<boolean> {
    if (totpSecret === null) return false;
    const secret = this.open(totpSecret, id);
    const step = stepOfCode(secret, plain(code), new Date());
    if (step === null) return false;
    const used = await sql.query(
      'UPDATE person SET totp_step = $2 WHERE id = $1 AND (totp_step IS NULL OR totp_step < $2) RETURNING 1',
      [id, step],
    );
    return used.length > 0;
  }

  private async isRecoveryCode(sql: Sql, { id }: Person, code: string): Promise<boolean> {
    const used = await sql.query('DELETE FROM person_recovery_code WHERE person_id = $1 AND digest = $2 RETURNING 1', [
      id,
      digestOf(plain(code)),
    ]);
    return used.length > 0;
  }
}
