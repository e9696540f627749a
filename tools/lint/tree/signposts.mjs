const CARD = 'docs/where-is-what.md';
const MIN_QUESTIONS = 20;
const ROW = /^\| *([^|]+\?) *\| *([^|]+?) *\|$/gm;

/** The newcomer's card answers its questions with paths that exist. */
export function lostSignposts(tree) {
  const rows = [...(tree.get(CARD) ?? '').matchAll(ROW)];
  const lost =
    rows.length < MIN_QUESTIONS ? [`${CARD} answers ${rows.length} questions; at least ${MIN_QUESTIONS}`] : [];
  for (const [, question, answer] of rows) {
    const paths = [...answer.matchAll(/`([^`]+)`/g)].map(([, path]) => path.replace(/\/$/, ''));
    if (paths.length !== 1) lost.push(`${CARD}: "${question}" needs one path, not ${paths.length}`);
    for (const path of paths)
      if (!tree.has(path) && ![...tree.keys()].some((file) => file.startsWith(`${path}/`)))
        lost.push(`${CARD}: "${question}" is answered by ${path}, which does not exist`);
  }
  return lost;
}
