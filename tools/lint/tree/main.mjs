// Holds the repository against the rules that need to see more than one file; `npm run check` runs it after ESLint.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commitFaults } from '../commit-subjects.mjs';
import { readTree } from './read-tree.mjs';
import { treeRules } from './rules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const tree = readTree(root);
const wrong = [...Object.values(treeRules).flatMap((rule) => rule(tree)), ...commitFaults(root)];
for (const finding of wrong) console.error(finding);
process.exit(wrong.length === 0 ? 0 : 1);
