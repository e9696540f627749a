import { storableText } from '@kontor/kernel';

/** Somebody as a company's identity provider describes them. */
export interface ProviderIdentity {
  readonly subject: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Null: the provider names none of ours. */
  readonly language: 'de' | 'en' | null;
  /** Whether more than one factor was asked for there. */
  readonly hasSecondFactor: boolean;
  /** When it was said, in milliseconds by the provider's clock. */
  readonly namedAt: number;
}

/** When a provider has named somebody, in milliseconds by its own clock: its logouts are held against that. */
export interface Naming {
  /** The tenant's settings by which it was asked. */
  readonly providerId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly at: number;
}

export type ClaimProblem =
  'email_missing' | 'email_not_verified' | 'foreign_domain' | 'subject_invalid' | 'time_invalid';

const MAX_NAME = 100;
const textOf = (value: unknown): string =>
  typeof value === 'string' ? storableText(value.replace(/\p{C}/gu, '').trim(), MAX_NAME) : '';

const MAX_NAME_THERE = 255;

/** A provider's own name for somebody or something, where it can be one, and can be stored. @see OpenID Connect Core 1.0, 2 */
export const nameOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_NAME_THERE && /^[^\0\p{Surrogate}]+$/u.test(value) ? value : null;

/** The provider's own session (`sid`), where it names one. @see OpenID Connect Front-Channel Logout 1.0, 3 */
export const sessionIdOf = ({ sid }: Readonly<Record<string, unknown>>): string | null => nameOf(sid);

/** What counts of an e-mail address where domains are compared. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Who the claims are about, or why nobody can be let in with them. The address must be the company's, and checked by the provider. */
export function identityOf(
  claims: Readonly<Record<string, unknown>> & { readonly sub: string },
  domains: readonly string[],
): ProviderIdentity | ClaimProblem {
  const email = textOfEmail(claims['email']);
  if (email === null) return 'email_missing';
  if (claims['email_verified'] !== true) return 'email_not_verified';
  if (!domains.includes(domainOf(email))) return 'foreign_domain';
  const subject = nameOf(claims.sub);
  if (subject === null) return 'subject_invalid';
  // Times may have parts of a second, and of a millisecond. @see RFC 7519, 2
  const namedAt = new Date(Number(claims['iat']) * 1000).getTime();
  if (Number.isNaN(namedAt)) return 'time_invalid';
  const [first = '', ...others] = textOf(claims['name']).split(' ');
  const amr = claims['amr'];
  return {
    subject,
    email,
    firstName: textOf(claims['given_name']) || first || storableText(email.slice(0, email.lastIndexOf('@')), MAX_NAME),
    lastName: textOf(claims['family_name']) || others.join(' '),
    language: languageIn(claims['locale']),
    hasSecondFactor: Array.isArray(amr) && amr.includes('mfa'),
    namedAt,
  };
}

/** A `locale` is a tag such as `de-AT`; some providers write `de_AT`. @see OpenID Connect Core 1.0, 5.1 */
function languageIn(locale: unknown): ProviderIdentity['language'] {
  const tag = typeof locale === 'string' ? /^(de|en)(?![a-z0-9])/i.exec(locale)?.[1]?.toLowerCase() : undefined;
  return tag === 'de' || tag === 'en' ? tag : null;
}

/** One address without anything that could be read as a second one. */
const textOfEmail = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= 254 && /^[^\s@<>,;"\p{C}]+@[^\s@<>,;"\p{C}]+$/u.test(value)
    ? value
    : null;
