import { dirname, join } from 'node:path/posix';

const CITED = /(?<![\w./-])docs\/(?:adr|rules)\/[\w./-]*[\w](?:#[\w-]+)?/g;
const LINK = /\]\(([^)\s:]+)\)/g;
const FOREIGN =
  /(?<![\w/-])(interface|decisions|architecture|quality|style|stack)\.md|\bbehaviour rule\b|\.\.\/shared\b/i;

/** What comments and documents refer to is in this repository: the file, and the section. */
export function brokenReferences(tree) {
  const broken = [];
  for (const [file, text] of tree) {
    if (!/\.(ts|mjs|md)$/.test(file) || file.startsWith('tools/lint')) continue;
    for (const [reference] of text.matchAll(CITED)) check(file, reference, reference);
    if (!file.endsWith('.md')) {
      const foreign = FOREIGN.exec(text)?.[0];
      if (foreign && !CITED.test(text.slice(text.lastIndexOf('\n', text.indexOf(foreign)) + 1).split('\n')[0]))
        broken.push(`${file} refers to ${foreign}, which is not in this repository`);
      continue;
    }
    for (const [, link] of text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(LINK)) {
      const [path, anchor] = link.split('#');
      check(file, path ? join(dirname(file), path) + (anchor ? `#${anchor}` : '') : `${file}#${anchor}`, link);
    }
  }
  return broken;

  function check(file, reference, shown) {
    const [path, anchor] = reference.replace(/\/$/, '').split('#');
    const folder = !tree.has(path) && [...tree.keys()].some((other) => other.startsWith(`${path}/`));
    if (!tree.has(path) && !folder) broken.push(`${file} refers to ${shown}, which does not exist`);
    else if (anchor && path.endsWith('.md') && !anchorsOf(tree.get(path)).has(anchor))
      broken.push(`${file} refers to ${shown}, a section that does not exist`);
  }
}

/** The anchors that a heading gets where Markdown is shown. */
function anchorsOf(markdown) {
  const headings = markdown.replace(/```[\s\S]*?```/g, '').matchAll(/^#{1,6} +(.+)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
