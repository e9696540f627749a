import { problemOf } from '@kontor/service-kit';
import { errors } from 'oidc-provider';

/** PostgreSQL's own word for: come again. */
const CANNOT_CONNECT_NOW = '57P03';

/**
 * A fault below the protocol as the standard has it: an app that is known is led back to with `temporarily_unavailable` or `server_error`, and
 * does not wait for a browser that stays with us. @see RFC 6749, 4.1.2.1
 */
class Outage extends errors.OIDCProviderError {
  /** Where no protocol is spoken it is what it was. */
  readonly code: string | undefined;

  constructor(cause: unknown, isTemporary: boolean) {
    super(isTemporary ? 503 : 500, isTemporary ? 'temporarily_unavailable' : 'server_error');
    this.cause = cause;
    this.code = isTemporary ? CANNOT_CONNECT_NOW : undefined;
    // What may be shown: that it is temporary, and nothing of a fault of ours.
    this.expose = isTemporary;
  }
}

/** What the database is asked for the protocol. @throws Outage, and errors of the protocol as they are */
export async function orOutage<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof errors.OIDCProviderError) throw error;
    throw new Outage(error, problemOf(error, '').body.status === 503);
  }
}
