// Rules of this repository that ESLint applies file by file. tools/lint-canaries.mjs proves that each of them bites.
import { checkedBodies } from './checked-bodies.mjs';
import { hiddenTables } from './hidden-tables.mjs';
import { lineLength } from './line-length.mjs';
import { bareNames, plainNames, plainProse, plainTypes } from './plain-words.mjs';
import { monotonicWaits } from './monotonic-waits.mjs';
import { noPrettierIgnore } from './no-prettier-ignore.mjs';
import { sqlStyle } from './sql-style.mjs';

export default {
  meta: { name: 'kontor' },
  rules: {
    'bare-names': bareNames,
    'checked-bodies': checkedBodies,
    'hidden-tables': hiddenTables,
    'line-length': lineLength,
    'monotonic-waits': monotonicWaits,
    'no-prettier-ignore': noPrettierIgnore,
    'plain-names': plainNames,
    'plain-prose': plainProse,
    'plain-types': plainTypes,
    'sql-style': sqlStyle,
  },
};
