const RECORD_PREFIX = '_kontor-domain';
const VALUE_PREFIX = 'kontor-domain=';

/** The record in the DNS of a domain that shows whose it is. */
export interface DomainRecord {
  readonly name: string;
  readonly value: string;
}

export const recordOf = (domain: string, proof: string): DomainRecord => ({
  name: `${RECORD_PREFIX}.${domain}`,
  value: VALUE_PREFIX + proof,
});

/** Domains that nobody can own, for examples and tests. @see RFC 2606 */
export const isReserved = (domain: string): boolean =>
  /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/.test(domain);

/** Which of the domains count without a look at the DNS: those that did before, and in a sandbox those that are for tests. */
export const provedAlready = (
  domains: readonly string[],
  { before, isSandbox }: { readonly before: readonly string[]; readonly isSandbox: boolean },
): string[] => domains.filter((domain) => before.includes(domain) || (isSandbox && isReserved(domain)));
