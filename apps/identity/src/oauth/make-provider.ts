import { createHash, createHmac } from 'node:crypto';
import type { JWK } from 'jose';
import {
  type Client,
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
  type Provider,
} from 'oidc-provider';
import { SCOPES, shownScope } from '../domain/oauth-scopes.js';
import { IssuerProvider } from './issuer-provider.js';
import { IssuerTokens } from './issuer-tokens.js';
import { IDENTITY_CLAIMS } from './account.js';
import { secretDigest } from './clients/oauth-clients.js';
import { INTERACTION_PATH, type ProviderParts } from './provider-parts.js';
import { SIGNING_ALGORITHM } from './signing-keys.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The paths of the interface. */
export const ROUTES = {
  authorization: '/oauth2/auth',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  introspection: '/oauth2/introspect',
  end_session: '/oauth2/sessions/logout',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
} as const;

const GRANT_NOT_ALLOWED = 'requested grant type is not allowed for this client';

interface Answer {
  readonly access_token?: string;
  readonly active?: boolean;
  readonly error_description?: string;
  scope?: string;
  error?: string;
}

export interface MadeProvider {
  readonly provider: Provider;
  readonly tokens: IssuerTokens;
}

/** One issuer with its keys. Deviations from the library's defaults are those of the interface. @see docs/adr/0026-oauth-by-oidc-provider.md */
export function makeProvider(url: string, keys: readonly JWK[], parts: ProviderParts): MadeProvider {
  const provider = new IssuerProvider(url, configurationOf(url, keys, parts), parts);
  // Behind the gateway, which says by which name it was asked.
  provider.proxy = true;
  const tokens = new IssuerTokens(url, parts.audience, keys);
  provider.on('authorization.error', (_ctx, error) => {
    if (error.statusCode >= 500) parts.log.warn({ err: error }, 'a sign-in has to begin anew');
  });
  provider.on('server_error', (_ctx, error) => parts.log.error({ err: error }, 'a sign-in failed'));
  (provider as NodeJS.EventEmitter).on('error', (error) => parts.log.error({ err: error }, 'a sign-in failed'));
  provider.use(async (ctx, next) => {
    await next();
    const body = ctx.body as Answer | undefined;
    // The library calls the request invalid, the standard says what is: the app. @see RFC 6749, 5.2
    if (ctx.path === ROUTES.token && body?.error_description === GRANT_NOT_ALLOWED) body.error = 'unauthorized_client';
    if (ctx.path === ROUTES.token && body?.access_token && body.scope) body.scope = shownScope(body.scope);
    if (ctx.path === ROUTES.introspection && body?.active && body.scope) body.scope = shownScope(body.scope);
    await parts.afterwards(ctx as KoaContextWithOIDC);
  });
  signAccessTokens(provider, tokens);
  adjustClients(provider, parts);
  return { provider, tokens };
}

/** Access tokens are JWTs outside; inside they are known by their id like any other, so that each of them can be revoked. */
function signAccessTokens(provider: Provider, tokens: IssuerTokens): void {
  interface Stored {
    readonly value: string;
    readonly payload: {
      jti: string;
      accountId: string;
      clientId: string;
      scope?: string;
      iat: number;
      exp: number;
      grantId: string;
    };
  }
  const prototype = provider.AccessToken.prototype as unknown as { getValueAndPayload(): Promise<Stored> };
  const { getValueAndPayload } = prototype;
  prototype.getValueAndPayload = async function signed(this: unknown): Promise<Stored> {
    const { value, payload } = await getValueAndPayload.call(this);
    const { accountId: sub, clientId, scope = '', iat, exp, grantId } = payload;
    const jwt = await tokens.sign({ jti: value, sub, clientId, scope: shownScope(scope), iat, exp, grantId });
    return { value: jwt, payload };
  };
}

/** Of a secret only the digest is known here; a logout is sent later, as often as it takes; `sid` is for both kinds of logout. */
function adjustClients(provider: Provider, parts: ProviderParts): void {
  const prototype = provider.Client.prototype as unknown as {
    compareClientSecret(this: Client, actual: string): boolean;
    includeSid(this: Client): boolean;
    backchannelLogout(this: Client, sub: string, sid: string): Promise<void>;
  };
  prototype.compareClientSecret = function compare(actual) {
    const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
    return this.clientSecret !== undefined && digest(secretDigest(actual)).equals(digest(this.clientSecret));
  };
  prototype.includeSid = function include() {
    return Boolean(this['backchannelLogoutUri'] ?? this['frontchannel_logout_uri']);
  };
  prototype.backchannelLogout = function sendLater(sub, sid) {
    return parts.logOut({ tenantId: String(this['tenant_id']), clientId: this.clientId, subject: sub, sid });
  };
}

function configurationOf(url: string, keys: readonly JWK[], parts: ProviderParts): Configuration {
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, secure: url.startsWith('https:') } as const;
  return {
    adapter: parts.adapter,
    jwks: { keys: [...keys] as never },
    routes: ROUTES,
    scopes: [...SCOPES],
    claims: { openid: [...IDENTITY_CLAIMS, 'auth_time'], sid: null, iss: null, acr: null },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
    clientDefaults: {
      id_token_signed_response_alg: SIGNING_ALGORITHM,
      grant_types: ['authorization_code', 'refresh_token'],
    },
    extraClientMetadata: { properties: ['tenant_id', 'seller', 'frontchannel_logout_uri', 'suspended'] },
    enabledJWA: { idTokenSigningAlgValues: [SIGNING_ALGORITHM] },
    discovery: {
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    } as never,
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 15,
    cookies: {
      names: { session: 'kontor_session', interaction: 'kontor_interaction', resume: 'kontor_resume' },
      keys: [...cookieKeys(parts.secretsKey, parts.previousSecretsKeys)],
      long: cookie,
      short: cookie,
    },
    pkce: { required: (_ctx, client) => client.tokenEndpointAuthMethod === 'none' },
    issueRefreshToken: (_ctx, client, source) =>
      Promise.resolve(client.grantTypeAllowed('refresh_token') && source.scopes.has('offline')),
    expiresWithSession: (_ctx, source) => Promise.resolve(!source.scopes.has('offline')),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    findAccount: parts.findAccount,
    interactions: { policy: policy(), url: (_ctx, interaction) => `${INTERACTION_PATH}/${interaction.uid}` },
    renderError: parts.renderError,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false } as never,
      backchannelLogout: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: parts.logoutSource,
        postLogoutSuccessSource: parts.postLogoutSuccessSource,
      },
      userinfo: { enabled: true },
    },
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      IdToken: HOUR,
      Interaction: HOUR,
      Grant: 400 * DAY,
      RefreshToken: 30 * DAY,
      Session: 14 * DAY,
    },
  };
}

/** Signs cookies; under the present key first. */
const cookieKeys = (key: Buffer, previous: readonly Buffer[]): string[] =>
  [key, ...previous].map((secret) => createHmac('sha256', secret).update('oauth-cookies').digest('base64url'));

/** The library's, and: a session of a customer of another tenant, or of one that is gone, is none. */
function policy(): interactionPolicy.DefaultPolicy {
  const { Check, base } = interactionPolicy;
  const prompts = base();
  const isStranger = (ctx: KoaContextWithOIDC): boolean =>
    ctx.oidc.session?.accountId !== undefined && ctx.oidc.account === undefined;
  prompts
    .get('login')
    ?.checks.add(new Check('foreign_account', 'End-User authentication is required', 'login_required', isStranger));
  return prompts;
}
