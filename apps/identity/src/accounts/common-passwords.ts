import { onDemand } from '@kontor/kernel';

const library = onDemand<typeof import('@zxcvbn-ts/language-common')>('@zxcvbn-ts/language-common', import.meta.url);
let known: ReadonlySet<string> | undefined;

/**
 * Some 49,000 of the passwords that most people have, as leaks showed; read when first asked for, because they take 20 MB. MIT
 * licence.
 */
export function commonPasswords(): ReadonlySet<string> {
  return (known ??= read());
}

function read(): ReadonlySet<string> {
  const { dictionary } = library();
  return new Set((dictionary['passwords-common'] as readonly string[]).map((text) => text.toLowerCase()));
}
