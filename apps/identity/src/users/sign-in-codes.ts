import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { unauthenticated } from '@kontor/service-kit';
import { lookAtToken, useToken } from '../accounts/one-time-tokens.js';
import { personById, single } from '../accounts/person.js';
import type { Naming } from '../domain/provider-claims.js';
import type { SignInMethod } from '../domain/sign-in-policy.js';
import { SignIn } from './sign-in.js';

interface SignInCode {
  readonly tenantId: string;
  readonly methods: readonly SignInMethod[];
  readonly providerSid: string | null;
  readonly naming?: Naming | null;
  readonly codeChallenge: string;
}

/** Codes that a program gets after a sign-in in a browser. Only the program that asked for one can redeem it, once. */
@Injectable()
export class SignInCodes {
  constructor(
    private readonly db: Database,
    private readonly signIn: SignIn,
  ) {}

  /** @throws DomainError 401 `unauthenticated`, 403 `no_tenant`, `company_sign_in_required`, `second_factor_missing` */
  async redeem(code: string, codeVerifier: string) {
    const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const sql = single(this.db);
    // Before it is used up: whoever changes the password from here on keeps this session closed.
    const open = await lookAtToken<SignInCode>(sql, 'sign_in_code', code);
    const person = open?.personId ? await personById(sql, open.personId) : null;
    const used = await useToken<SignInCode>(sql, 'sign_in_code', code);
    if (!person || !used || used.payload.codeChallenge !== challenge)
      throw unauthenticated('The code is unknown, used, expired, or was asked for by another program.');
    const { methods, providerSid, naming = null, tenantId } = used.payload;
    return this.signIn.byCompany({ grounds: person, methods, providerSid, naming }, tenantId);
  }
}
