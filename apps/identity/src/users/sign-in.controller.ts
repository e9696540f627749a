import { Body, Controller, Post } from '@nestjs/common';
import { Type } from '@sinclair/typebox';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, Operation, requestContext, unauthenticated } from '@kontor/service-kit';
import { aboutPeople, noteAccountEvent } from '../accounts/account-events.js';
import {
  OtherTenantDto,
  RefreshUserDto,
  RequestPasswordResetDto,
  SignInCodeDto,
  UserSignInDto,
} from './sign-in.dto.js';
import { EXAMPLE_SIGNED_IN, SignedIn } from './sign-in.schemas.js';
import { SignInCodes } from './sign-in-codes.js';
import { SignIn } from './sign-in.js';

const open = { tag: 'Sign-in of users', permission: null, signsIn: true } as const;

const Success = Type.Object({ success: Type.Literal(true) });

/** How people sign in, for programs such as a console of your own. */
@Controller('public/users')
export class SignInController {
  constructor(
    private readonly db: Database,
    private readonly signIn: SignIn,
    private readonly signInCodes: SignInCodes,
  ) {}

  @Post('sign-in')
  @Operation({
    id: 'signUserIn',
    summary: 'Exchange an e-mail address and a password for tokens of a person',
    description:
      'The access token is sent like an API key and acts in one tenant with what the person may do there at that moment. Where a second factor is set ' +
      'up, a request without `code` is refused with 401 `second_factor_required`. Unknown addresses and wrong passwords are refused alike, and as slowly.',
    success: 200,
    response: SignedIn,
    examples: { response: EXAMPLE_SIGNED_IN },
    errors: {
      401: 'The address, the password or the code is wrong, or a code is needed.',
      403: 'The person works for no tenant, or not for this one.',
    },
    ...open,
  })
  async execute(@Body() body: UserSignInDto) {
    const { email, password, code = null, tenantId = null } = body;
    return { data: await this.signIn.execute({ email, password, code, tenantId }, requestContext()?.address ?? '') };
  }

  @Post('sign-in-by-code')
  @Operation({
    id: 'signUserInByCode',
    summary: 'Exchange the code of a sign-in with a company for tokens of a person',
    description:
      'The code is the one that `GET /public/account/company/{tenantId}` has sent to the program. The tokens act in that tenant alone, for at most 12 hours.',
    success: 200,
    response: SignedIn,
    examples: { response: EXAMPLE_SIGNED_IN },
    errors: { 401: 'The code is unknown, used, expired, or was asked for by another program.' },
    ...open,
  })
  async byCode(@Body() { code, codeVerifier }: SignInCodeDto) {
    return { data: await this.signInCodes.redeem(code, codeVerifier) };
  }

  @Post('other-tenant')
  @Operation({
    id: 'signUserInElsewhere',
    summary: 'Open a further session in another tenant of the same person',
    description: 'Send the access token of a session as `Authorization: Bearer …`; that session goes on.',
    success: 200,
    response: SignedIn,
    examples: { response: EXAMPLE_SIGNED_IN },
    errors: { 401: 'The access token is not valid.', 403: 'The person does not work for this tenant.' },
    ...open,
  })
  async elsewhere(@Caller() caller: Principal | undefined, @Body() body: OtherTenantDto) {
    return { data: await this.signIn.elsewhere(sessionOf(caller), body.tenantId) };
  }

  @Post('refresh')
  @Operation({
    id: 'refreshUserSession',
    summary: "Exchange a person's refresh token for new tokens",
    description: 'A refresh token counts once: one that is shown again ends its session.',
    success: 200,
    response: SignedIn,
    examples: { response: EXAMPLE_SIGNED_IN },
    errors: { 401: 'The refresh token is unknown, used or expired.' },
    ...open,
  })
  async refresh(@Body() body: RefreshUserDto) {
    return { data: await this.signIn.refresh(body.refreshToken) };
  }
  @Post('sign-out')
  @Operation({
    id: 'signUserOut',
    summary: 'End the session of a person; effective within a second',
    description: 'Send its access token as `Authorization: Bearer …`.',
    success: 200,
    response: Success,
    examples: { response: { success: true } },
    errors: { 401: 'The access token is not valid.' },
    ...open,
  })
  async signOut(@Caller() caller: Principal | undefined): Promise<{ success: true }> {
    await this.signIn.signOut(sessionOf(caller));
    return { success: true };
  }

  @Post('request-password-reset')
  @Operation({
    id: 'requestPasswordReset',
    summary: 'Mail a link for a new password to whoever has this e-mail address',
    description:
      'Answers alike, and as fast, whether the address is known or not. The link leads to a page, once and for an hour.',
    success: 200,
    response: Success,
    examples: { response: { success: true } },
    ...open,
  })
  async requestReset(@Body() { email }: RequestPasswordResetDto): Promise<{ success: true }> {
    await aboutPeople(this.db, (tx) =>
      noteAccountEvent(tx, { type: 'password.reset_requested', personId: null, email }),
    );
    return { success: true };
  }
}

/** @throws DomainError 401 `unauthenticated` for everybody but a person. */
function sessionOf(caller: Principal | undefined): string {
  if (caller?.kind !== 'user' || !caller.sessionId) throw unauthenticated('The access token of a person is needed.');
  return caller.sessionId;
}
