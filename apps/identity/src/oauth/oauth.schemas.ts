import { Type } from '@sinclair/typebox';

export const TokenAnswer = Type.Object({
  access_token: Type.String(),
  expires_in: Type.Integer(),
  refresh_token: Type.Optional(Type.String()),
  id_token: Type.Optional(Type.String()),
  scope: Type.String(),
  token_type: Type.Literal('Bearer'),
});

export const TOKEN_EXAMPLE = {
  access_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTk5In0.c2lnbmF0dXJl',
  expires_in: 3600,
  refresh_token: 'PqZ0oMKpVB2X4cbR6ZL1s8e5xQyF7uNwTgH3kD9vAjC',
  id_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTk5In0.c2lnbmF0dXJl',
  scope: 'openid offline',
  token_type: 'Bearer',
};

export const USERINFO_EXAMPLE = {
  sub: '0199f000-0000-7000-8000-000000000011',
  name: 'Ada Berg',
  given_name: 'Ada',
  family_name: 'Berg',
  email: 'ada@example.com',
  email_verified: true,
};

export const DISCOVERY_EXAMPLE = {
  issuer: 'https://billing.example',
  authorization_endpoint: 'https://billing.example/oauth2/auth',
  token_endpoint: 'https://billing.example/oauth2/token',
  jwks_uri: 'https://billing.example/.well-known/jwks.json',
};
