import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { type PageLanguage, requestContext } from '@kontor/service-kit';
import { CheckPassword } from '../accounts/check-password.js';
import type { Person } from '../accounts/person.js';
import { SecondFactor } from '../accounts/second-factor.js';
import { ACCOUNT_TEXTS } from './account-texts.js';

/** Asks somebody who is signed in once more for what only they know and have. */
@Injectable()
export class ConfirmPerson {
  constructor(
    private readonly checkPassword: CheckPassword,
    private readonly secondFactor: SecondFactor,
  ) {}

  /** Why it is not this person, in their words: by password and code, as far as they have them. Null: it is. */
  async refuse(person: Person, form: URLSearchParams, language: PageLanguage): Promise<string | null> {
    const refusal = person.passwordHash === null ? null : await this.refusePassword(person, form, language);
    if (refusal !== null || person.totpSecret === null) return refusal;
    const t = ACCOUNT_TEXTS[language];
    try {
      const method = await this.secondFactor.check(person, (form.get('code') ?? '').slice(0, 40), addressOf());
      return method ? null : t.wrongCode;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return t.tooMany;
    }
  }

  async refusePassword({ email }: Person, form: URLSearchParams, language: PageLanguage): Promise<string | null> {
    const t = ACCOUNT_TEXTS[language];
    try {
      const password = (form.get('password') ?? '').slice(0, 1000);
      const person = await this.checkPassword.execute(email, password, addressOf());
      await this.checkPassword.succeeded(person, addressOf());
      return null;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return error.reason === 'rate_limited' ? t.tooMany : t.wrongPassword;
    }
  }
}

const addressOf = (): string => requestContext()?.address ?? '';
