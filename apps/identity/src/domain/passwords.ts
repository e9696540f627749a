/** Shorter ones are guessed, longer ones cost time to read. */
export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 200;

export type PasswordProblem = 'too_short' | 'too_long' | 'too_common' | 'too_personal';

/** The same password typed on another keyboard. */
export const normalPassword = (password: string): string => password.normalize('NFKC');

const LEET: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
/** So many characters around a common password do not make it another one. */
const FEW = 6;

/**
 * Why a password is refused; null for one that is fine. `common`: passwords that many have, in lower case; `known`: what others know of the
 * person, such as the e-mail address and names.
 */
export function passwordProblem(
  password: string,
  { common, known }: { readonly common: ReadonlySet<string>; readonly known: readonly string[] },
): PasswordProblem | null {
  const length = [...password].length;
  if (length < MIN_PASSWORD) return 'too_short';
  if (length > MAX_PASSWORD) return 'too_long';
  const lower = password.toLowerCase();
  if (isCommon(lower, common) || isPattern(lower)) return 'too_common';
  const parts = known.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((part) => part.length >= 4);
  const rest = parts.reduce((text, part) => text.replaceAll(part, ''), lower);
  return rest.length < lower.length && [...rest].length < FEW + 1 ? 'too_personal' : null;
}

const unleet = (text: string): string => [...text].map((char) => LEET[char] ?? char).join('');

/** Itself, what is left without digits and signs around it, or the same twice. */
function isCommon(text: string, common: ReadonlySet<string>): boolean {
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const half = text.slice(0, text.length / 2);
  const isKnown = (part: string): boolean => common.has(part) || common.has(unleet(part));
  return (
    isKnown(text) ||
    (core.length >= 4 && text.length - core.length <= FEW && isKnown(core)) ||
    (half + half === text && (isKnown(half) || half.length < 6))
  );
}

/** Few different characters, or one after the other as they stand in the alphabet or on the keyboard. */
function isPattern(text: string): boolean {
  if (new Set(text).size < 5) return true;
  const rows = [
    'abcdefghijklmnopqrstuvwxyz',
    '01234567890',
    'qwertzuiopasdfghjklyxcvbnm',
    'qwertyuiopasdfghjklzxcvbnm',
  ];
  return rows.some((row) => row.includes(text) || [...row].reverse().join('').includes(text));
}
