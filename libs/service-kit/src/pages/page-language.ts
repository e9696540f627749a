/** Languages of the public pages. */
export type PageLanguage = 'de' | 'en';

/** The page's own choice, else the customer's, else the browser's language. */
export function languageFor(
  chosen: string | undefined,
  customers: string | undefined,
  accepted: string | undefined,
): PageLanguage {
  const first = chosen ?? customers ?? accepted?.slice(0, 2).toLowerCase();
  return first === 'de' ? 'de' : 'en';
}
