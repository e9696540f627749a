import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import type { FastifyRequest } from 'fastify';
import { Passkeys } from '../accounts/passkeys.js';
import { sessionsOf } from '../accounts/person-sessions.js';
import { single } from '../accounts/person.js';
import { SecondFactor } from '../accounts/second-factor.js';
import { SignIn } from '../users/sign-in.js';
import type { Visitor } from './browser.js';
import { pageOf } from './operations.js';
import { PASSKEY_SCRIPT, PASSKEY_SCRIPT_TAG, passkeyAddForm } from './passkey-parts.js';
import { relyingPartyOf } from './relying-party.js';
import { securityPage, type SecurityState } from './security-page.js';

/** What became of a change, as the page shows it. */
export type Outcome = Partial<Pick<SecurityState, 'notice' | 'error' | 'recoveryCodes' | 'totpSetup'>>;

/** Puts together what the page of an account shows. */
@Injectable()
export class ShowSecurity {
  constructor(
    private readonly db: Database,
    private readonly signIn: SignIn,
    private readonly secondFactor: SecondFactor,
    private readonly passkeys: Passkeys,
    private readonly config: ServiceConfig,
  ) {}

  /** `script`: the one that the page runs, where it has one. */
  async execute(
    request: FastifyRequest,
    visitor: Visitor,
    outcome: Outcome,
  ): Promise<{ html: string; script: string | undefined }> {
    const page = pageOf(request, visitor.person);
    const { id } = visitor.person;
    const passkeys = await this.passkeys.of(id);
    const party = relyingPartyOf(request, this.config.publicUrl);
    const options = party && (await this.passkeys.creationOptions(visitor.person, passkeys, party));
    const html = securityPage(page, {
      visitor,
      tenants: await this.signIn.tenantsOf(id),
      sessions: await sessionsOf(single(this.db), id),
      recoveryCodesLeft: await this.secondFactor.recoveryCodesLeft(id),
      passkeys,
      passkeyForm: options ? passkeyAddForm(page, visitor.csrf, options) + PASSKEY_SCRIPT_TAG : '',
      notice: outcome.notice ?? null,
      error: outcome.error ?? null,
      recoveryCodes: outcome.recoveryCodes ?? [],
      totpSetup: outcome.totpSetup ?? null,
    });
    return { html, script: options ? PASSKEY_SCRIPT : undefined };
  }
}
