import { firstBanned, prose } from '../words.mjs';

/** Documents speak the English of the field; source is held to it by ESLint. */
export function privateEnglish(tree) {
  const found = [];
  for (const [file, text] of tree) {
    if (!/\.(md|http|yml)$/.test(file)) continue;
    text.split('\n').forEach((line, index) => {
      const banned = firstBanned(prose, line);
      if (banned) found.push(`${file}:${index + 1} "${banned[0]}": say ${banned[1]}`);
    });
  }
  return found;
}
