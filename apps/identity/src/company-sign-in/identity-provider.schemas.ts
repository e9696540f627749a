import { Type } from '@sinclair/typebox';
import type { IdentityProviderRow } from '../db/identity-provider.row.js';
import { recordOf } from '../domain/email-domains.js';

export const identityProviderSchema = Type.Object(
  {
    issuer: Type.String({ description: 'Its address.' }),
    clientId: Type.String({ description: 'What this system is called there.' }),
    domains: Type.Array(Type.String(), { description: "Domains of the company's e-mail addresses." }),
    domainProofs: Type.Array(
      Type.Object({
        domain: Type.String({ description: 'One of `domains`.' }),
        proved: Type.Boolean({ description: 'Until then the domain cannot be used.' }),
        record: Type.Object(
          {
            name: Type.String({ description: 'Name of the record.' }),
            value: Type.String({ description: 'Its text.' }),
          },
          { description: 'The TXT record that has to be in the DNS.' },
        ),
      }),
      { description: 'How the tenant shows that the domains are its own.' },
    ),
    newUserRoles: Type.Array(Type.String(), { description: 'Roles of who signs in without having been invited.' }),
    passwordAllowed: Type.Boolean({ description: 'Whether people may sign in by a password or passkey as well.' }),
    secondFactorRequired: Type.Boolean({ description: 'Whether every sign-in needs a second factor.' }),
    redirectUris: Type.Array(Type.String(), { description: 'Where programs may have codes sent.' }),
    callbackUrl: Type.String({ description: 'Register it at the provider: browsers come back to it.' }),
    backchannelLogoutUrl: Type.String({
      description: 'Register it at the provider, where it can report logouts: they end what it has opened here.',
    }),
    frontchannelLogoutUrl: Type.String({
      description:
        'Register it at the provider, where it has browsers report logouts: with `iss` and `sid`, or they end nothing.',
    }),
    signInUrl: Type.String({ description: 'Leads straight to the provider.' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'IdentityProvider' },
);

export const providerCheckSchema = Type.Object({
  works: Type.Boolean({ description: 'Whether it can be asked, and says of itself what is needed.' }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why not.' }),
});

export const representProvider = (row: IdentityProviderRow, callbackUrl: string) => ({
  issuer: row.issuer,
  clientId: row.clientId,
  domains: row.domains,
  domainProofs: row.domains.map((domain) => ({
    domain,
    proved: row.provedDomains.includes(domain),
    record: recordOf(domain, row.domainProof),
  })),
  newUserRoles: row.newUserRoles,
  passwordAllowed: row.passwordAllowed,
  secondFactorRequired: row.secondFactorRequired,
  redirectUris: row.redirectUris,
  callbackUrl,
  backchannelLogoutUrl: callbackUrl.replace(/callback$/, `${row.tenantId}/logout`),
  frontchannelLogoutUrl: callbackUrl.replace(/callback$/, `${row.tenantId}/logout`),
  signInUrl: callbackUrl.replace(/callback$/, row.tenantId),
  updatedAt: row.updatedAt.toISOString(),
});

export const EXAMPLE_SETTINGS = {
  issuer: 'https://login.nordlicht.example',
  clientId: 'kontor',
  domains: ['nordlicht.example'],
  newUserRoles: ['read_only'],
  passwordAllowed: true,
  secondFactorRequired: false,
  redirectUris: ['https://console.nordlicht.example/signed-in'],
};

export const EXAMPLE_PROVIDER = {
  ...EXAMPLE_SETTINGS,
  domainProofs: [
    {
      domain: 'nordlicht.example',
      proved: true,
      record: { name: '_kontor-domain.nordlicht.example', value: 'kontor-domain=Q2q8fJ1xwS0m3k5n7p9r1t3v5x7z9B1D' },
    },
  ],
  callbackUrl: 'https://billing.example.com/public/account/company/callback',
  backchannelLogoutUrl:
    'https://billing.example.com/public/account/company/0199f000-0000-7000-8000-000000000001/logout',
  frontchannelLogoutUrl:
    'https://billing.example.com/public/account/company/0199f000-0000-7000-8000-000000000001/logout',
  signInUrl: 'https://billing.example.com/public/account/company/0199f000-0000-7000-8000-000000000001',
  updatedAt: '2026-03-01T10:00:00.000Z',
};
