import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const READ = /\.(ts|mjs|md|http|yml)$|(^|\/)package(-lock)?\.json$/;

/** What the tree rules see: every path of the repository, and the text of those that they read. Canaries give a Map of their choosing. */
export function readTree(root) {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split(
    '\n',
  );
  return new Map(
    paths
      .filter((path) => path && existsSync(join(root, path)))
      .map((path) => [path, READ.test(path) ? readFileSync(join(root, path), 'utf8') : '']),
  );
}
