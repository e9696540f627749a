import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let known: ReadonlySet<string> | undefined;

/**
 * Some 49,000 of the passwords that most people have, as leaks showed; read when first asked for, because they take 20 MB. MIT
 * licence.
 */
export function commonPasswords(): ReadonlySet<string> {
  return (known ??= read());
}

function read(): ReadonlySet<string> {
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  return new Set((dictionary['passwords-common'] as readonly string[]).map((text) => text.toLowerCase()));
}
