import { problemOf } from '@kontor/service-kit';
import { errors } from 'oidc-provider';

/** What passes by itself or is mended by an operator, by the status it has elsewhere: PostgreSQL's own words for "come again" and for a full disk. */
const TEMPORARY = new Map([
  [503, '57P03'],
  [507, '53100'],
]);

/**
 * A fault below the protocol as the standard has it: an app that is known is led back to with `temporarily_unavailable` or `server_error`, and
 * does not wait for a browser that stays with us. @see RFC 6749, 4.1.2.1
 */
class Outage extends errors.OIDCProviderError {
  /** Where no protocol is spoken it is what it was. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    const code = TEMPORARY.get(problemOf(cause, '').body.status);
    const isTemporary = code !== undefined;
    super(isTemporary ? 503 : 500, isTemporary ? 'temporarily_unavailable' : 'server_error');
    this.cause = cause;
    this.code = code;
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
    throw new Outage(error);
  }
}
