import type { CustomerState } from '@kontor/contracts';
import type { Account } from 'oidc-provider';

/** Claims of the identity: all of them come with the scope `openid`. */
export const IDENTITY_CLAIMS = ['sub', 'name', 'given_name', 'family_name', 'email', 'email_verified'];

/** A customer as apps get to know it: who holds its e-mail address, by a link that was sent there. */
export function accountOf(customer: CustomerState): Account {
  const given = customer.firstName ?? undefined;
  const family = customer.lastName ?? undefined;
  const person = [given, family].filter(Boolean).join(' ');
  return {
    accountId: customer.id,
    claims: () => ({
      sub: customer.id,
      name: person || customer.companyName || customer.customerNumber,
      given_name: given,
      family_name: family,
      email: customer.email,
      email_verified: true,
    }),
  };
}
