import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { CustomerState, IssuerKeys } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { Log, ServiceConfig } from '@kontor/service-kit';
import type { FindAccount } from 'oidc-provider';
import { accountOf } from './account.js';
import { commonScope } from '../domain/oauth-scopes.js';
import { OauthClients } from './clients/oauth-clients.js';
import { ISSUER_NAMES, IssuerAddresses, type IssuerName } from './issuer-addresses.js';
import { LogoutDeliveries } from './logout/logout-deliveries.js';
import { type MadeProvider, makeProvider } from './make-provider.js';
import { OidcStore } from './oidc-store.js';
import { orOutage } from './outages.js';
import { afterwards, logoutSource, postLogoutSuccessSource, renderError } from './pages/provider-pages.js';
import { SigningKeys } from './signing-keys.js';
import { exchangeTokens } from './token-exchange.js';

/** How long a process may not know of a new key, which signs only an hour later, and how often expired rows are removed. */
const LOOK_MS = 30_000;
const PORTION = 1_000;
/** What is given to an app, for as much as its scopes say. */
const WITH_SCOPE: ReadonlySet<string> = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken']);

/** The two issuers, each with the keys that it has now. */
@Injectable()
export class Issuers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly made = new Map<IssuerName, { readonly kids: string; readonly provider: Promise<MadeProvider> }>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly replicas: Replicas,
    private readonly config: ServiceConfig,
    private readonly log: Log,
    private readonly clients: OauthClients,
    private readonly keys: SigningKeys,
    private readonly deliveries: LogoutDeliveries,
    readonly addresses: IssuerAddresses,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => (this.looking = this.look()), LOOK_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  async of(issuer: IssuerName): Promise<MadeProvider> {
    const known = this.made.get(issuer);
    return known ? known.provider : this.make(issuer);
  }

  /** What access tokens are checked by: the public parts of the keys. */
  async keySets(): Promise<IssuerKeys> {
    const issuers = await Promise.all(
      ISSUER_NAMES.map(async (name) => ({
        issuer: this.addresses.urlOf(name),
        keys: (await this.keys.of(name)).map(({ kid, kty, n, e }) => ({ kid, kty, n, e })),
      })),
    );
    return { audience: this.config.publicUrl, issuers };
  }

  /** Reads the keys again; what has not changed stays. */
  async reload(): Promise<void> {
    for (const issuer of this.made.keys()) await this.make(issuer);
  }

  private async make(issuer: IssuerName): Promise<MadeProvider> {
    const keys = await this.keys.of(issuer);
    const kids = keys.map(({ kid }) => kid).join();
    const known = this.made.get(issuer);
    if (known?.kids === kids) return known.provider;
    const provider = Promise.resolve(
      makeProvider(this.addresses.urlOf(issuer), keys, {
        adapter: (model) => this.storeOf(model, issuer),
        exchange: (work) => exchangeTokens(this.db, issuer, work),
        findAccount: this.findAccount,
        audience: this.config.publicUrl,
        secretsKey: this.config.secretsKey,
        previousSecretsKeys: this.config.previousSecretsKeys,
        log: this.log,
        logOut: (notice) => this.deliveries.schedule(notice),
        afterwards,
        renderError,
        logoutSource,
        postLogoutSuccessSource,
      }),
    );
    this.made.set(issuer, { kids, provider });
    return provider;
  }

  private storeOf(model: string, issuer: IssuerName): OidcStore {
    if (model === 'Client') return this.clientStore(issuer);
    return WITH_SCOPE.has(model) ? this.scopedStore(model, issuer) : new OidcStore(this.db, issuer, model);
  }

  /** What was given to an app is worth no more than the app may ask for by now. */
  private scopedStore(model: string, issuer: IssuerName): OidcStore {
    const store = new OidcStore(this.db, issuer, model);
    const find = store.find.bind(store);
    store.find = async (id) => {
      const found = await find(id);
      if (!found?.scope || found.clientId === undefined) return found;
      const client = await orOutage(this.clients.metadata(found.clientId, issuer));
      return client ? { ...found, scope: commonScope(found.scope, client.scope ?? '') } : found;
    };
    return store;
  }

  private clientStore(issuer: IssuerName): OidcStore {
    const store = new OidcStore(this.db, issuer, 'Client');
    store.find = async (id) => {
      const client = await orOutage(this.clients.metadata(id, issuer));
      // Nobody signs in to a suspended tenant, and nobody stays signed in.
      return client?.['suspended'] ? undefined : client;
    };
    return store;
  }

  /** A customer of the tenant whose app asks; another tenant's is nobody. */
  private readonly findAccount: FindAccount = async (ctx, customerId) => {
    const tenantId = ctx.oidc.client?.['tenant_id'];
    if (typeof tenantId !== 'string') return undefined;
    const customer = await orOutage(
      this.db.tenant(tenantId, (tx) => this.replicas.get<CustomerState>(tx, 'customer', customerId), {
        atOnce: true,
      }),
    );
    return customer && !customer.mergedIntoCustomerId ? accountOf(customer) : undefined;
  };

  private async look(): Promise<void> {
    try {
      await this.reload();
      await this.db.statement(
        `DELETE FROM oidc_payload WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM oidc_payload WHERE expires_at < now() - interval '1 hour' LIMIT ${PORTION}))`,
      );
    } catch (error) {
      this.log.warn({ err: error }, 'signing keys could not be read');
    }
  }
}
