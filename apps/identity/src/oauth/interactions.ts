import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import { OpenLoginLink } from '../login-links/open-login-link.js';
import { RequestLoginLink } from '../login-links/request-login-link.js';
import { AskIssuer } from './ask-issuer.js';
import { Issuers } from './issuers.js';
import type { MadeProvider } from './make-provider.js';
import { INTERACTION_PATH } from './provider-parts.js';

type Details = Awaited<ReturnType<MadeProvider['provider']['interactionDetails']>>;

/** A sign-in that waits for somebody in this browser. */
export interface OpenInteraction {
  readonly made: MadeProvider;
  readonly details: Details;
  readonly sandbox: boolean;
  readonly app: string;
  readonly seller: string;
  readonly tenantId: string;
  /** Address under which its links are made. */
  readonly linkPage: string;
}

/** What people do on the pages of a sign-in. It belongs to the browser in which it was begun: only there is its cookie. */
@Injectable()
export class Interactions {
  constructor(
    private readonly ask: AskIssuer,
    private readonly issuers: Issuers,
    private readonly requestLink: RequestLoginLink,
    private readonly openLink: OpenLoginLink,
  ) {}

  /** Null where this browser has begun none, it is over, or its app, or the address that leads back there, was removed meanwhile. */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<OpenInteraction | null> {
    const issuer = this.ask.issuerOf(request);
    const made = await this.ask.provider(request);
    const { uid } = request.params as { uid: string };
    const details = await made.provider.interactionDetails(request.raw, reply.raw).catch(notFound);
    if (details?.uid !== uid) return null;
    const client = await made.provider.Client.find(String(details.params['client_id'])).catch(notFound);
    // An address that was taken from the app since is not led to any more.
    if (!client?.redirectUriAllowed(String(details.params['redirect_uri']))) return null;
    return {
      made,
      details,
      sandbox: issuer === 'sandbox',
      app: client.clientName ?? '',
      seller: String(client['seller']),
      tenantId: String(client['tenant_id']),
      linkPage: `${this.issuers.addresses.urlOf(issuer)}${INTERACTION_PATH}/${uid}/link`,
    };
  }

  async sendLink({ tenantId, linkPage }: OpenInteraction, email: string): Promise<void> {
    await this.requestLink.execute({ tenantId, email, interaction: linkPage });
  }

  /** Whom a link signs in; null where it cannot be used here. */
  async look({ linkPage, tenantId }: OpenInteraction, token: string) {
    const opened = await this.openLink.look(token);
    return opened?.link.interaction === linkPage && opened.tenantId === tenantId ? opened : null;
  }

  /** Uses a link, once. Gives where the browser goes on; null where it cannot be used. */
  async signIn(
    open: OpenInteraction,
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | null> {
    const customerId = await this.openLink.use(token, { interaction: open.linkPage, browser: null }, (_tx, { link }) =>
      Promise.resolve(link.customerId),
    );
    if (customerId === null) return null;
    const login = { accountId: customerId, amr: ['otp'] };
    return open.made.provider.interactionResult(request.raw, reply.raw, { login });
  }

  /** Grants the app what it asked for. Gives where the browser goes on. */
  async allow({ made, details }: OpenInteraction, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { provider } = made;
    const accountId = details.session?.accountId;
    const clientId = String(details.params['client_id']);
    const known = details.grantId === undefined ? undefined : await provider.Grant.find(details.grantId);
    const grant = known ?? new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(String(details.params['scope'] ?? ''));
    const grantId = await grant.save();
    return provider.interactionResult(
      request.raw,
      reply.raw,
      { consent: { grantId } },
      { mergeWithLastSubmission: true },
    );
  }

  deny({ made }: OpenInteraction, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const result = { error: 'access_denied', error_description: 'End-User denied the request' };
    return made.provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
  }
}

/** An unknown sign-in, or an app that is unknown by now. @throws what is no refusal */
function notFound(error: unknown): undefined {
  if (!(error instanceof errors.OIDCProviderError) || error.statusCode >= 500) throw error;
}
