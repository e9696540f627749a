import Provider, { type Configuration, type TokenEndpointGrantContext } from 'oidc-provider';
import type { ProviderParts } from './provider-parts.js';
import { SavedSession } from './saved-session.js';

type Session = InstanceType<Provider['Session']>;
type Values = string | readonly string[] | ReadonlySet<string>;

/**
 * The library's, which writes what a request to the token endpoint does at its end, and does not store a session again that was ended while a
 * request went on.
 */
export class IssuerProvider extends Provider {
  constructor(
    url: string,
    configuration: Configuration,
    private readonly parts: Pick<ProviderParts, 'exchange'>,
  ) {
    super(url, configuration);
    const { prototype } = this.Session;
    const save = prototype.save;
    // With an end it was stored before.
    prototype.save = function (this: Session, ttl: number) {
      return this.exp === undefined ? save.call(this, ttl) : SavedSession.run(() => save.call(this, ttl));
    };
  }

  /** The library registers its own, too. */
  override registerGrantType<Params extends object>(
    name: string,
    handler: (ctx: TokenEndpointGrantContext<Params>) => void | Promise<void>,
    parameters?: Values,
    repeatable?: Values,
  ): void {
    const exchange = (ctx: TokenEndpointGrantContext<Params>): Promise<void> =>
      this.parts.exchange(async () => handler(ctx));
    super.registerGrantType(name, exchange, parameters, repeatable);
  }
}
