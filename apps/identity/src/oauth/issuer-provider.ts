import Provider, { type Configuration, type TokenEndpointGrantContext } from 'oidc-provider';
import type { ProviderParts } from './provider-parts.js';

type Values = string | readonly string[] | ReadonlySet<string>;

/** The library's, which writes what a request to the token endpoint does at its end. */
export class IssuerProvider extends Provider {
  constructor(
    url: string,
    configuration: Configuration,
    private readonly parts: Pick<ProviderParts, 'exchange'>,
  ) {
    super(url, configuration);
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
