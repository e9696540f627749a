import type { Log } from '@kontor/service-kit';
import type { AdapterFactory, ErrorOut, FindAccount, KoaContextWithOIDC } from 'oidc-provider';

/** Where people are asked something; the address of one sign-in has its id after it. */
export const INTERACTION_PATH = '/oauth2/interaction';

/** An app that is to hear that somebody logged out. */
export interface LogoutNotice {
  readonly tenantId: string;
  readonly clientId: string;
  readonly subject: string;
  readonly sid: string;
}

/** What an issuer is made of beside its keys. */
export interface ProviderParts {
  readonly adapter: AdapterFactory;
  /** Gives tokens for what `work` finds, all of them or none. */
  exchange(work: () => Promise<void>): Promise<void>;
  readonly findAccount: FindAccount;
  /** Whom access tokens are for: this API. */
  readonly audience: string;
  readonly secretsKey: Buffer;
  readonly previousSecretsKeys: readonly Buffer[];
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Sees to it that an app hears of a logout. */
  logOut(notice: LogoutNotice): Promise<void>;
  /** Looks at an answer before it is sent. */
  afterwards(ctx: KoaContextWithOIDC): Promise<void> | void;
  renderError(ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): void;
  logoutSource(ctx: KoaContextWithOIDC, form: string): void;
  postLogoutSuccessSource(ctx: KoaContextWithOIDC): void;
}
