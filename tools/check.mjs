// `npm run check`: build, lint with its canaries, formatting, generated files. The first failure ends it.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const node = process.execPath;
const steps = [
  ['build', [node, 'node_modules/typescript7/bin/tsc', '-b']],
  // The module boundary rule reads nx's cached project graph and is silently skipped without one.
  ['project graph', [node, 'node_modules/nx/dist/bin/nx.js', 'graph', '--file=.nx/project-graph.json']],
  ['lint', [node, 'node_modules/eslint/bin/eslint.js', '.']],
  ['lint canaries', [node, 'tools/lint-canaries.mjs']],
  ['format', [node, 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']],
  ['generated files', [node, 'tools/generate.mjs', '--check']],
];

for (const [name, [command, ...args]] of steps) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, NX_DAEMON: 'false' }, maxBuffer: 1 << 26 });
  if (result.status !== 0) {
    console.error(`${result.stdout}${result.stderr}\ncheck failed: ${name}`);
    process.exit(1);
  }
  console.log(`✓ ${name}`);
}
