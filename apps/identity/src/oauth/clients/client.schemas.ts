import { Type } from '@sinclair/typebox';
import { AUTH_METHODS, type OauthClientRow } from '../../db/oauth-client.row.js';

const NullableUri = Type.Union([Type.String({ format: 'uri' }), Type.Null()]);

const fields = {
  clientId: Type.String({ format: 'uuid' }),
  tenantId: Type.String({ format: 'uuid' }),
  name: Type.String(),
  redirectUris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
  postLogoutRedirectUris: Type.Array(Type.String()),
  frontchannelLogoutUri: NullableUri,
  backchannelLogoutUri: NullableUri,
  tokenEndpointAuthMethod: Type.String({ enum: [...AUTH_METHODS] }),
  createdAt: Type.String({ format: 'date-time' }),
};

/** An app, without its secret. */
export const OauthClient = Type.Object(fields, { $id: 'OauthClient' });

/** An app at the one moment at which its secret is known; null where it has none. */
export const OauthClientWithSecret = Type.Object(
  { ...fields, clientSecret: Type.Optional(Type.Union([Type.String(), Type.Null()])) },
  { $id: 'OauthClientWithSecret' },
);

export const representClient = (row: OauthClientRow) => ({
  clientId: row.id,
  tenantId: row.tenantId,
  name: row.name,
  redirectUris: row.redirectUris,
  scopes: row.scopes,
  postLogoutRedirectUris: row.postLogoutRedirectUris,
  frontchannelLogoutUri: row.frontchannelLogoutUri,
  backchannelLogoutUri: row.backchannelLogoutUri,
  tokenEndpointAuthMethod: row.tokenEndpointAuthMethod,
  createdAt: row.createdAt.toISOString(),
});

export const EXAMPLE_REQUEST = {
  name: 'Backhaus App',
  redirectUris: ['https://app.backhaus.example/callback'],
  scopes: ['openid', 'offline', 'entitlements.read'],
  postLogoutRedirectUris: ['https://app.backhaus.example/'],
  backchannelLogoutUri: 'https://app.backhaus.example/logout',
  tokenEndpointAuthMethod: 'client_secret_basic',
};

export const EXAMPLE_CLIENT = {
  clientId: '0199f000-0000-7000-8000-000000000051',
  tenantId: '0199f000-0000-7000-8000-000000000001',
  ...EXAMPLE_REQUEST,
  frontchannelLogoutUri: null,
  createdAt: '2026-03-01T10:00:00.000Z',
};
