/** Pages that somebody opens by a link alone: who has it needs no token. */
const BY_LINK = /^\/(public|oauth2)\//;
/** Words of our own paths are of small letters; what is secret has others, too. */
const SECRET = /(?<=\/)(?![a-z.-]+(\/|$))[^/]{16,}/g;

/** The path of a request as logs and traces may show it: without its query, and without what a link to a page keeps secret. */
export function loggedPath(url: string): string {
  const path = url.split('?', 1)[0]!;
  return BY_LINK.test(path) ? path.replace(SECRET, (segment) => `${segment.slice(0, 4)}…`) : path;
}
