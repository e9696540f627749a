import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, Operation } from '@kontor/service-kit';
import { identityProviders } from '../db/identity-provider.row.js';
import { AskProvider } from './ask-provider.js';
import { ChangeProvider } from './change-provider.js';
import { IdentityProviderDto } from './identity-provider.dto.js';
import {
  EXAMPLE_PROVIDER,
  identityProviderSchema,
  providerCheckSchema,
  representProvider,
} from './identity-provider.schemas.js';
import { ProveDomains } from './prove-domains.js';
import { ProviderAccess } from './provider-access.js';
import { ProviderPlaces } from './provider-places.js';

const tag = 'Users';

/** Where the people of a tenant sign in with what their company gave them. */
@Controller('identity-provider')
export class IdentityProviderController {
  constructor(
    private readonly db: Database,
    private readonly access: ProviderAccess,
    private readonly change: ChangeProvider,
    private readonly ask: AskProvider,
    private readonly places: ProviderPlaces,
    private readonly prove: ProveDomains,
  ) {}

  @Get()
  @Operation({
    id: 'getIdentityProvider',
    summary: "The company's own identity provider (OpenID Connect); its secret is not shown",
    tag,
    permission: 'user:read',
    response: identityProviderSchema,
    examples: { response: EXAMPLE_PROVIDER },
    errors: { 404: 'There is none.' },
  })
  get(@Caller() caller: Principal) {
    return this.db.tenant(
      caller.tenantId,
      async (tx) => {
        const row = await identityProviders.findOne(tx, {});
        if (!row) throw notFound('An identity provider');
        return representProvider(row, this.access.callbackUrl);
      },
      { readOnly: true },
    );
  }

  @Put()
  @Operation({
    id: 'setIdentityProvider',
    summary: 'Have people sign in at their company’s identity provider',
    description:
      'By who may do everything. What it says counts in this tenant alone, for addresses of `domains` that it has checked (`email_verified`) ' +
      'and that are proved to be the tenant’s own (`domainProofs`). ' +
      'Passwords can be forbidden once somebody has signed in by it; sessions that were opened by one are refused then.',
    tag,
    permission: 'user:write',
    response: identityProviderSchema,
    examples: { response: EXAMPLE_PROVIDER },
  })
  set(@Caller() caller: Principal, @Body() body: IdentityProviderDto) {
    return this.db.tenant(caller.tenantId, async (tx) =>
      representProvider(await this.change.set(tx, caller, body), this.access.callbackUrl),
    );
  }

  @Post('check')
  @Operation({
    id: 'checkIdentityProvider',
    summary: 'Ask the identity provider what it says of itself, and whether that can be used',
    tag,
    permission: 'user:write',
    success: 200,
    response: providerCheckSchema,
    examples: { response: { works: false, problem: 'It cannot be reached, or its metadata do not fit its issuer.' } },
    errors: { 404: 'There is none.', 503: '`service_overloaded`: too many wait for it.' },
  })
  async check(@Caller() caller: Principal) {
    const known = await this.db.tenant(caller.tenantId, (tx) => this.access.of(tx), { readOnly: true });
    if (!known) throw notFound('An identity provider');
    const works = () =>
      this.ask.check(known.provider).then(
        () => true,
        () => false,
      );
    if (await this.places.run(caller.tenantId, works)) return { works: true, problem: null };
    // What a machine answers that is not an identity provider is not shown: it may be anybody's.
    return { works: false, problem: 'It cannot be reached, or its metadata do not fit its issuer.' };
  }

  @Post('prove-domains')
  @Operation({
    id: 'proveEmailDomains',
    summary: 'Have the DNS of the domains looked at, whether it has the records that show whose they are',
    description:
      'By who may do everything. `domainProofs` says which TXT record each domain needs; one that was found once counts until the domain is taken out. ' +
      'In a sandbox, domains that are reserved for tests (`.example`, `.test`) count without.',
    tag,
    permission: 'user:write',
    success: 200,
    response: identityProviderSchema,
    examples: { response: EXAMPLE_PROVIDER },
    errors: { 404: 'There is none.' },
  })
  proveDomains(@Caller() caller: Principal) {
    return this.prove.execute(caller);
  }

  @Delete()
  @HttpCode(204)
  @Operation({
    id: 'removeIdentityProvider',
    summary: 'Sign-ins by the identity provider end, and the sessions that came of them',
    description:
      'By who may do everything. People sign in by their passwords again; who has none asks for one by mail.',
    tag,
    permission: 'user:write',
    success: 204,
    errors: { 404: 'There is none.' },
  })
  async remove(@Caller() caller: Principal): Promise<void> {
    await this.db.tenant(caller.tenantId, (tx) => this.change.remove(tx, caller));
  }
}
