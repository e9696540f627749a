// Words of a private English, and what the field says instead. Identifiers are compared word by word (`toldPayments` is `told payments`),
// prose in comments, texts and documents as it stands.

/** Words and sequences of words in identifiers. */
export const identifiers = [
  [/\btold\b|\btells?\b|\btelling\b/, 'published, notified, reported'],
  [/\bgives? back\b/, 'credit, refund, release, unassign'],
  [/\blet go\b/, 'released, cancelled'],
  [/\bwish(es)?\b/, 'request'],
  [/\blook again\b/, 'rematch, retry'],
  [/\bheld back\b/, 'defer'],
  [/\bis silent\b/, 'unavailable'],
  [/\bremembering\b/, 'memoize, cache'],
  [/^most$/, 'a limit with its unit: MAX_ENTRIES'],
];

/** Types named after everything they know; tests may build a world. */
export const types = [[/\bworld$/, 'context']];

/** A name for a thing that has a noun. */
export const bare = [[/^(one|own|mine)$/, 'the noun: invoice, row, customer']];

export const prose = [
  [/\b(told|tells)\b(?!.*\bapart\b)/i, 'published, shows, reports, sends'],
  [/\b(let|lets|letting) go( of)?\b/i, 'released, cancelled'],
  [/\b(give|gives|gave|given|giving) back\b/i, 'credited, refunded, released, returned'],
  [
    /\b(events|items|lines|rows|readings|bookings|others) (is|are|was|were) taken\b|\btaken and ignored\b/i,
    'accepted, applied, claimed, used',
  ],
  [/\bwish(es|ed)?\b/i, 'request'],
  [/\b(broke|breaks|broken|breaking) off\b/i, 'interrupted'],
  [/\bmore than nothing\b/i, 'greater than 0'],
  [/\b(take|takes|taking|taken) in\b/i, 'imported, processed, accepted'],
  [/\bthrown off\b/i, 'removed'],
];

/** `toldPayments`, `TOLD_AT`, `told_at` → `told payments`, `told at`. */
export function wordsOf(identifier) {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .trim()
    .toLowerCase();
}

/** The first entry of a list that the text breaks: `[what was found, what to say instead]`. */
export function firstBanned(list, text) {
  for (const [pattern, instead] of list) {
    const match = pattern.exec(text);
    if (match) return [match[0], instead, match.index];
  }
  return null;
}
