import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { type PageLanguage, requestContext, ServiceConfig } from '@kontor/service-kit';
import { isEmail, isUUID } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { aboutPeople, noteAccountEvent } from '../accounts/account-events.js';
import { ChangeAccount } from '../accounts/change-account.js';
import { problemOfPassword } from '../accounts/check-password.js';
import { dropTokens, lookAtToken, makeToken } from '../accounts/one-time-tokens.js';
import { Passkeys } from '../accounts/passkeys.js';
import { endSession, endSessions, stillHolds } from '../accounts/person-sessions.js';
import { isPassword } from '../accounts/password-hash.js';
import { type Person, personById, single } from '../accounts/person.js';
import { SecondFactor } from '../accounts/second-factor.js';
import { base32, stepOfCode, totpUri } from '../secrets/totp.js';
import { MailNewAddress } from '../users/mail-new-address.js';
import { ACCOUNT_TEXTS } from './account-texts.js';
import type { Visitor } from './browser.js';
import { ConfirmPerson } from './confirm-person.js';
import { nameIn } from './page-parts.js';
import { relyingPartyOf } from './relying-party.js';
import type { TotpSetup as ShownSetup } from './security-page.js';
import type { Outcome } from './show-security.js';

const FRESH_MS = 15 * 60_000;
const SETUP_MINUTES = 15;

/** Of codes that are being set up, sealed; the recovery codes are those that count once it is confirmed. */
interface TotpSetup {
  readonly secret: string;
  readonly recoveryCodes: string;
}

interface Change {
  readonly request: FastifyRequest;
  readonly visitor: Visitor;
  readonly form: URLSearchParams;
  readonly language: PageLanguage;
}

/** As the page shows it, and an app reads it. */
async function shownSetup(token: string, secret: Buffer, { email }: Person): Promise<ShownSetup> {
  const { default: QRCode } = await import('qrcode');
  const qrCode = await QRCode.toString(totpUri(secret, email, 'Kontor'), { type: 'svg', margin: 1 });
  return { token, key: base32(secret), qrCode };
}

/** What protects the account: a browser that was left open for long cannot change it. */
const PROTECTED = new Set([
  'change_password',
  'change_email',
  'totp_start',
  'totp_confirm',
  'totp_end',
  'recovery_new',
  'passkey_add',
  'passkey_remove',
  'delete_account',
]);

/** Changes what somebody signs in with. */
@Injectable()
export class ChangeSecurity {
  private readonly actions: Readonly<Record<string, (change: Change) => Promise<Outcome>>> = {
    change_password: (change) => this.changePassword(change),
    change_name: (change) => this.changeName(change),
    change_email: (change) => this.changeEmail(change),
    totp_start: (change) => this.startTotp(change),
    totp_confirm: (change) => this.confirmTotp(change),
    totp_end: (change) => this.endTotp(change),
    recovery_new: (change) => this.newRecoveryCodes(change),
    passkey_add: (change) => this.addPasskey(change),
    passkey_remove: (change) => this.removePasskey(change),
    end_session: (change) => this.endSession(change),
    end_others: (change) => this.endOthers(change),
  };

  constructor(
    private readonly db: Database,
    private readonly account: ChangeAccount,
    private readonly confirm: ConfirmPerson,
    private readonly secondFactor: SecondFactor,
    private readonly passkeys: Passkeys,
    private readonly mailNewAddress: MailNewAddress,
    private readonly config: ServiceConfig,
  ) {}

  needsFreshSignIn(action: string, { session }: Visitor): boolean {
    return PROTECTED.has(action) && session.signedInAt.getTime() < Date.now() - FRESH_MS;
  }

  /** Unknown actions change nothing. */
  async execute(action: string, change: Change): Promise<Outcome> {
    return Object.hasOwn(this.actions, action) ? this.actions[action]!(change) : {};
  }

  private async changeName({ visitor, form, language }: Change): Promise<Outcome> {
    const t = ACCOUNT_TEXTS[language];
    const [firstName, lastName] = [nameIn(form, 'firstName'), nameIn(form, 'lastName')];
    if (!firstName || !lastName) return { error: t.nameMissing };
    await this.account.changeName(visitor.person, { firstName, lastName });
    return { notice: t.nameChanged };
  }

  private async changePassword({ visitor, form, language }: Change): Promise<Outcome> {
    const t = ACCOUNT_TEXTS[language];
    const { person, session } = visitor;
    const password = form.get('newPassword') ?? '';
    if (person.passwordHash !== null) {
      const refusal = await this.confirm.refusePassword(person, form, language);
      if (refusal === t.wrongPassword && (await this.hasPassword(person, password)))
        return { notice: t.passwordChanged };
      if (refusal) return { error: refusal };
    }
    const problem = problemOfPassword(password, person);
    if (problem) return { error: t.problems[problem] };
    const isChanged = await this.account.changePassword(person, password, session.id);
    return isChanged || (await this.hasPassword(person, password)) ? { notice: t.passwordChanged } : { error: t.wrong };
  }

  /**
   * Whether it was just changed to that: of two clicks a browser shows what the second one is answered, and by then the former one is wrong.
   * The attempt is counted already.
   */
  private async hasPassword({ id }: Person, password: string): Promise<boolean> {
    const person = await personById(single(this.db), id);
    return isPassword(password, person?.passwordHash ?? null);
  }

  /** Answers alike whether somebody has the address: who has it gets no mail. */
  private async changeEmail({ visitor, form, language }: Change): Promise<Outcome> {
    const t = ACCOUNT_TEXTS[language];
    const email = (form.get('email') ?? '').trim().slice(0, 254);
    if (!isEmail(email)) return { error: t.emailProblem };
    try {
      await this.mailNewAddress.execute(visitor.person, email, requestContext()?.address ?? '');
      return { notice: t.emailMailed };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { error: t.tooMany };
    }
  }

  private async startTotp({ visitor }: Change): Promise<Outcome> {
    const secret = this.secondFactor.newSecret();
    const payload: TotpSetup = {
      secret: this.secondFactor.seal(secret, visitor.person.id),
      recoveryCodes: this.secondFactor.seal(
        Buffer.from(JSON.stringify(this.secondFactor.newRecoveryCodes())),
        visitor.person.id,
      ),
    };
    const token = await makeToken(single(this.db), 'totp_setup', {
      personId: visitor.person.id,
      payload,
      minutes: SETUP_MINUTES,
    });
    return { totpSetup: await shownSetup(token, secret, visitor.person) };
  }

  private async confirmTotp({ visitor, form, language }: Change): Promise<Outcome> {
    const t = ACCOUNT_TEXTS[language];
    const { person } = visitor;
    const token = form.get('setup') ?? '';
    const setup = await lookAtToken<TotpSetup>(single(this.db), 'totp_setup', token);
    if (setup?.personId !== person.id) return { error: t.gone };
    const secret = this.secondFactor.open(setup.payload.secret, person.id);
    const step = stepOfCode(secret, (form.get('code') ?? '').replace(/\s/g, ''), new Date());
    // What the app has stored by now counts: with another secret it would have two entries, of which one never fits.
    if (step === null) return { error: t.wrongCode, totpSetup: await shownSetup(token, secret, person) };
    const recoveryCodes = JSON.parse(
      this.secondFactor.open(setup.payload.recoveryCodes, person.id).toString(),
    ) as string[];
    const isOn = await aboutPeople(this.db, async (tx) => {
      const known = await this.secondFactor.lockSecret(tx, person.id);
      // Who clicks twice sends the form twice, and sees the second answer: the codes that the first one saved.
      if (known !== null) return known.equals(secret);
      if (!(await stillHolds(tx, person))) return false;
      await this.secondFactor.enable(tx, person, secret, step);
      await noteAccountEvent(tx, { type: 'totp.enabled', personId: person.id });
      await this.secondFactor.saveRecoveryCodes(tx, person.id, recoveryCodes);
      return true;
    });
    return isOn ? { notice: t.totpEnabled, recoveryCodes } : { error: t.gone };
  }

  private async endTotp({ visitor, language }: Change): Promise<Outcome> {
    const { id, totpSecret } = visitor.person;
    if (totpSecret === null) return {};
    await aboutPeople(this.db, (tx) => this.secondFactor.disable(tx, id));
    return { notice: ACCOUNT_TEXTS[language].totpDisabled };
  }

  private async newRecoveryCodes({ visitor }: Change): Promise<Outcome> {
    const { id, totpSecret } = visitor.person;
    if (totpSecret === null) return {};
    const recoveryCodes = await aboutPeople(this.db, async (tx) => {
      await dropTokens(tx, id, ['totp_setup']);
      await noteAccountEvent(tx, { type: 'recovery_codes.made', personId: id });
      return this.secondFactor.makeRecoveryCodes(tx, id);
    });
    return { recoveryCodes };
  }

  private async addPasskey({ request, visitor, form, language }: Change): Promise<Outcome> {
    const t = ACCOUNT_TEXTS[language];
    const party = relyingPartyOf(request, this.config.publicUrl);
    const name = nameIn(form, 'name') || t.passkeyDefaultName;
    const answer = { response: form.get('passkey') ?? '', challenge: form.get('challenge') ?? '' };
    const isAdded = party !== null && (await this.passkeys.add(visitor.person, name, answer, party));
    return isAdded ? { notice: t.passkeyAdded } : { error: t.passkeyFailed };
  }

  private async removePasskey({ visitor, form, language }: Change): Promise<Outcome> {
    const isGone = await this.passkeys.remove(visitor.person.id, form.get('id') ?? '');
    return isGone ? { notice: ACCOUNT_TEXTS[language].passkeyRemoved } : {};
  }

  private async endSession({ visitor, form, language }: Change): Promise<Outcome> {
    const id = form.get('id') ?? '';
    if (!isUUID(id)) return {};
    const personId = visitor.person.id;
    await aboutPeople(this.db, async (tx) => {
      if (await endSession(tx, personId, id)) await noteAccountEvent(tx, { type: 'session.ended', personId });
    });
    return { notice: ACCOUNT_TEXTS[language].sessionEnded };
  }

  private async endOthers({ visitor, language }: Change): Promise<Outcome> {
    const personId = visitor.person.id;
    await aboutPeople(this.db, async (tx) => {
      const sessions = await endSessions(tx, personId, { but: visitor.session.id });
      await noteAccountEvent(tx, { type: 'session.ended', personId, metadata: { sessions } });
    });
    return { notice: ACCOUNT_TEXTS[language].othersEnded };
  }
}
