// `npm run check`: build, types of the specs, lint with its canaries, formatting, generated files. The first failure ends it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const node = process.execPath;

/** ESLint's cache holds for one set of projects (they decide what a file may import) and of rules of our own. */
function rulesDigest() {
  const hash = createHash('sha256');
  const files = ['{apps,libs,tools}/*/{project,package}.json', 'tools/lint/**/*.mjs'];
  for (const file of globSync(files, { cwd: root }).sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 12);
}
const cached = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', `.cache/${name}`];

const steps = [
  ['build', [node, 'node_modules/typescript7/bin/tsc', '-b']],
  // The tests' runner strips types: here a wrong call in a spec is found.
  ['types of the specs', [node, 'node_modules/typescript7/bin/tsc', '-p', 'tools/jest/tsconfig.json']],
  // The module boundary rule reads nx's cached project graph and is silently skipped without one.
  ['project graph', [node, 'node_modules/nx/dist/bin/nx.js', 'graph', '--file=.nx/project-graph.json']],
  ['lint', [node, 'node_modules/eslint/bin/eslint.js', '.', ...cached(`eslint-${rulesDigest()}`)]],
  ['rules of the tree', [node, 'tools/lint/tree/main.mjs']],
  ['lint canaries', [node, 'tools/lint-canaries.mjs']],
  [
    'format',
    [node, 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.', ...cached('prettier')],
  ],
  ['generated files', [node, 'tools/generate.mjs', '--check']],
  ['reasons of each operation', [node, 'tools/reasons.mjs', '--check']],
];

for (const [name, [command, ...args]] of steps) {
  const startedAt = Date.now();
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NX_DAEMON: 'false' },
    maxBuffer: 1 << 26,
  });
  if (result.status !== 0) {
    console.error(`${result.stdout}${result.stderr}\ncheck failed: ${name}`);
    process.exit(1);
  }
  console.log(`✓ ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
}
