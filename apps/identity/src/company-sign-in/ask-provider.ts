import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { guardedAgent, type Reach, refusalOfAddress } from '@kontor/service-kit';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { ClientAuth, Configuration, CustomFetchOptions } from 'openid-client';
import { type Agent, fetch } from 'undici';

const TIMEOUT_SECONDS = 5;
/** Most processes sign nobody in at a company: it is loaded when first needed. */
const library = () => import('openid-client');
const MAX_ANSWER_BYTES = 1_000_000;
/** Signatures that only who has the provider's private key can make. */
const SIGNATURES = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Of a logout token, which a provider may send again when it had no answer. */
const MAX_AGE_SECONDS = 300;
const TOLERANCE_SECONDS = 60;

/** A company's identity provider with its secret, and what may be connected to for its tenant. */
export interface KnownProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly reach: Reach;
}

/** What belongs to one sign-in, so that an answer to another is none. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

const agentFor = (reach: Reach): Agent =>
  guardedAgent(reach, {
    connectTimeoutMs: 5_000,
    headersTimeout: TIMEOUT_SECONDS * 1000,
    bodyTimeout: TIMEOUT_SECONDS * 1000,
    maxResponseSize: MAX_ANSWER_BYTES,
  });

/**
 * Talks to companies' identity providers as OpenID Connect prescribes. Their metadata and keys are read anew for each sign-in. Every address
 * that they name is checked before it is connected to, and where its name leads once more.
 */
@Injectable()
export class AskProvider implements OnApplicationShutdown {
  private readonly agents: Record<Reach, Agent> = { public: agentFor('public'), sandbox: agentFor('sandbox') };

  /** Where the browser is led to. @throws Error where the provider cannot be asked, or says what it may not say */
  async authorizationUrl(provider: KnownProvider, redirectUri: string, checks: Checks): Promise<URL> {
    const client = await library();
    const config = await this.configuration(provider);
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    });
    refuseAddress(url.href, provider.reach);
    return url;
  }

  /**
   * Who has signed in, by the answer with which the browser came back: from this provider, to this sign-in, signed by the provider's keys.
   * @throws Error where anything of it is wrong
   */
  async claims(provider: KnownProvider, answer: URL, checks: Checks): Promise<Claims> {
    const client = await library();
    const config = await this.configuration(provider);
    const tokens = await client.authorizationCodeGrant(config, answer, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    // The library looks at it where there are several audiences. @see OpenID Connect Core 1.0, 3.1.3.7
    if ((claims.azp ?? provider.clientId) !== provider.clientId) throw new Error('the ID token is for another client');
    if (claims['email'] !== undefined || !config.serverMetadata().userinfo_endpoint) return claims;
    return { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
  }

  /** What a logout token says that is this provider's, for us, and of the last minutes. @throws Error for any other */
  async logoutClaims(provider: KnownProvider, token: string): Promise<JWTPayload> {
    // Nobody else's token has the provider asked for its keys.
    if (decodeJwt(token).iss !== provider.issuer) throw new Error('the token is of another issuer');
    const config = await this.configuration(provider);
    const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
    const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal } as const;
    const answer = await this.fetch(config.serverMetadata().jwks_uri ?? '', options, provider.reach);
    const { payload } = await jwtVerify(token, createLocalJWKSet((await answer.json()) as JSONWebKeySet), {
      issuer: provider.issuer,
      audience: provider.clientId,
      algorithms: [...SIGNATURES],
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: TOLERANCE_SECONDS,
    });
    return payload;
  }

  /** Reads what the provider says of itself. @throws Error where it cannot be used */
  async check(provider: KnownProvider): Promise<void> {
    const { authorization_endpoint, token_endpoint, jwks_uri } = (await this.configuration(provider)).serverMetadata();
    for (const [name, address] of Object.entries({ authorization_endpoint, token_endpoint, jwks_uri })) {
      if (!address) throw new Error(`${name} is missing`);
      refuseAddress(address, provider.reach);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.agents).map((agent) => agent.destroy()));
  }

  private async configuration({ issuer, clientId, clientSecret, reach }: KnownProvider): Promise<Configuration> {
    const client = await library();
    const isHere = reach === 'sandbox' && issuer.startsWith('http:');
    const [inBody, inHeader] = [client.ClientSecretPost(clientSecret), client.ClientSecretBasic(clientSecret)];
    // Each has to take it in the header, and takes it in the body if it says so. @see RFC 6749, 2.3.1; OpenID Connect Discovery 1.0, 3
    const showSecret: ClientAuth = (server, ...request) =>
      (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? inBody : inHeader)(
        server,
        ...request,
      );
    const config = await client.discovery(new URL(issuer), clientId, clientSecret, showSecret, {
      execute: [client.enableNonRepudiationChecks, ...(isHere ? [client.allowInsecureRequests] : [])],
      [client.customFetch]: (url, options) => this.fetch(url, options, reach),
      timeout: TIMEOUT_SECONDS,
    });
    // One metadata document for all companies, as some providers have it, would let every one of them in.
    if (config.serverMetadata().issuer !== issuer) throw new Error('the metadata are of another issuer');
    return config;
  }

  private async fetch(url: string, options: CustomFetchOptions, reach: Reach): Promise<Response> {
    refuseAddress(url, reach);
    const answer = await fetch(url, { ...options, redirect: 'manual', dispatcher: this.agents[reach] } as never);
    const { status, headers } = answer;
    if (headers.get('content-encoding')?.includes(',')) {
      await answer.body?.cancel();
      throw new Error('the answer is packed more than once');
    }
    const text = await readText(answer.body);
    return new Response(text === '' ? null : text, { status, headers: [...headers] });
  }
}

/** The agent bounds what is sent, which may be packed: a few kilobytes can become gigabytes. @throws Error for more than is ever needed */
async function readText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function refuseAddress(address: string, reach: Reach): void {
  const refusal = refusalOfAddress(address, reach);
  if (refusal) throw new Error(`address not allowed: ${refusal}`);
}
