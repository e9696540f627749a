import { dictionary } from '@zxcvbn-ts/language-common';

let known: ReadonlySet<string> | undefined;

/** Some 49,000 of the passwords that most people have, as leaks showed; read when first asked for. MIT licence. */
export const commonPasswords = (): ReadonlySet<string> =>
  (known ??= new Set((dictionary['passwords-common'] as readonly string[]).map((password) => password.toLowerCase())));
