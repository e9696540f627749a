/** What a tenant with an identity provider of its own asks of sign-ins. */
export interface SignInPolicy {
  readonly passwordAllowed: boolean;
  readonly secondFactorRequired: boolean;
}

/** How somebody showed who it is. `company`: at the company's identity provider, which asked for more with `company_mfa`. */
export type SignInMethod = 'password' | 'totp' | 'recovery_code' | 'passkey' | 'company' | 'company_mfa';

/** More than a password, or than what a company's provider asks for by itself. */
const SECOND: readonly SignInMethod[] = ['totp', 'recovery_code', 'passkey', 'company_mfa'];

/** What came from the company's provider counts in its tenant alone. */
export const isByCompany = (methods: readonly SignInMethod[]): boolean => methods.includes('company');

/** Why a tenant does not take a sign-in, or null. `policy`: null where it has no identity provider. */
export function refusalOfSignIn(
  policy: SignInPolicy | null,
  methods: readonly SignInMethod[],
): 'company_sign_in_required' | 'second_factor_missing' | null {
  if (policy === null) return isByCompany(methods) ? 'company_sign_in_required' : null;
  if (!policy.passwordAllowed && !isByCompany(methods)) return 'company_sign_in_required';
  return policy.secondFactorRequired && !methods.some((method) => SECOND.includes(method))
    ? 'second_factor_missing'
    : null;
}
