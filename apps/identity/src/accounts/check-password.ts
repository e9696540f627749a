import { Injectable } from '@nestjs/common';
import { DomainError, validationFailed } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { passwordProblem } from '../domain/passwords.js';
import { aboutPeople, noteAccountEvent } from './account-events.js';
import { commonPasswords } from './common-passwords.js';
import { isPassword } from './password-hash.js';
import { type Person, personByEmail, single } from './person.js';
import { SignInLimits } from './sign-in-limits.js';

/** Checks passwords: with the same answer and the same work for addresses that nobody has. */
@Injectable()
export class CheckPassword {
  constructor(
    private readonly db: Database,
    private readonly limits: SignInLimits,
  ) {}

  /** @throws DomainError 401 `invalid_credentials`, 429 `rate_limited` */
  async execute(email: string, password: string, address: string): Promise<Person> {
    await this.limits.take('password', email, address);
    const person = await personByEmail(single(this.db), email.trim());
    if (await isPassword(password, person?.passwordHash ?? null)) return person!;
    await this.noteFailure(email);
    throw invalidCredentials();
  }

  /** Somebody is in: the attempts before count no longer. */
  succeeded(person: Person, address: string): Promise<void> {
    return this.limits.clear('password', person.email, address);
  }

  async noteFailure(email: string): Promise<void> {
    await aboutPeople(this.db, (tx) => noteAccountEvent(tx, { type: 'sign_in.failed', personId: null, email }));
  }
}

export const invalidCredentials = (): DomainError =>
  new DomainError('invalid_credentials', {
    kind: 'unauthenticated',
    detail: 'The e-mail address, the password or the code is wrong.',
  });

const PROBLEMS = {
  too_short: 'The password must have at least 10 characters.',
  too_long: 'The password must have at most 200 characters.',
  too_common: 'Many people have this password: it is tried first.',
  too_personal: 'The password must be more than names that others know.',
} as const;

type Known = Pick<Person, 'email' | 'firstName' | 'lastName'>;

export const problemOfPassword = (password: string, { email, firstName, lastName }: Known) =>
  passwordProblem(password, { common: commonPasswords(), known: [email, firstName, lastName] });

/** @throws DomainError 422 `validation_failed` */
export function requireGoodPassword(password: string, person: Known): void {
  const problem = problemOfPassword(password, person);
  if (problem) throw validationFailed('password', PROBLEMS[problem], `password_${problem}`);
}
