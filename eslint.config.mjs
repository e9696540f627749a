import nx from '@nx/eslint-plugin';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import kontor from './tools/lint/eslint/plugin.mjs';

const libs = {
  money: [],
  kernel: [],
  tax: ['money', 'kernel'],
  contracts: ['money', 'kernel'],
  messaging: ['contracts', 'kernel'],
  persistence: ['kernel'],
  'service-kit': ['kernel', 'persistence', 'messaging', 'contracts', 'money'],
};
const everyLib = ['type:lib'];

/** Which project may import which: docs/rules/architecture.md#building-blocks. tools/lint-canaries.mjs proves that it bites. */
const boundaries = [
  ...Object.entries(libs).map(([name, allowed]) => ({
    sourceTag: `lib:${name}`,
    onlyDependOnLibsWithTags: allowed.map((lib) => `lib:${lib}`),
  })),
  { sourceTag: 'lib:testing', onlyDependOnLibsWithTags: everyLib },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: everyLib },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['type:lib', 'type:app'] },
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/.data/**', '.cache/**', '.nx/**', '**/generated/**'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          depConstraints: boundaries,
          allow: [],
          enforceBuildableLibDependency: false,
          banTransitiveDependencies: false,
        },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unsafe-function-type': 'off',
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'max-lines': ['error', { max: 320, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['apps/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'undici', importNames: ['Agent'], allowTypeImports: true, message: 'outboundAgent, guardedAgent' },
          ],
        },
      ],
    },
  },
  {
    // The pure core: rows in, decisions out. No clock, no randomness, no waiting, no framework, no environment.
    files: ['apps/*/src/domain/**/*.ts', 'libs/{money,tax}/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: ':function[async=true]', message: 'domain code does not wait' },
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'now is a parameter' },
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: 'now is a parameter',
        },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: 'no randomness in the domain',
        },
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'no environment in the domain',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            '@nestjs/*',
            'typeorm',
            'pg',
            'node:*',
            '@kontor/persistence',
            '@kontor/messaging',
            '@kontor/service-kit',
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'apps/*/test/**', 'libs/*/test/**', 'e2e/**', 'libs/testing/**'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@nx/enforce-module-boundaries': 'off',
    },
  },
  {
    // The only places that import apps: the composition root, and what checks the settings before it. Here and not in a comment, which looks
    // unused, and goes with `npm run fix`, where the rule has no project graph to read.
    files: ['tools/embedded/src/{begin-start,start-system}.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: globals.node }, rules: { 'no-undef': 'error' } },
  {
    files: ['**/*.ts', '**/*.mjs'],
    plugins: { kontor },
    rules: {
      'kontor/bare-names': 'error',
      'kontor/line-length': 'error',
      'kontor/no-prettier-ignore': 'error',
      'kontor/plain-names': 'error',
      'kontor/plain-prose': 'error',
      'kontor/sql-style': 'error',
    },
  },
  { files: ['{apps,libs}/*/src/**/*.ts'], plugins: { kontor }, rules: { 'kontor/plain-types': 'error' } },
  {
    files: ['{apps,libs}/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    plugins: { kontor },
    rules: { 'kontor/monotonic-waits': 'error' },
  },
  {
    files: ['apps/*/src/**/*.ts'],
    plugins: { kontor },
    rules: { 'kontor/checked-bodies': 'error', 'kontor/hidden-tables': 'error' },
  },
  {
    files: ['**/*.spec.ts', 'apps/*/test/**', 'libs/*/test/**', 'e2e/**'],
    rules: { 'kontor/no-prettier-ignore': 'off' },
  },
  // The lists of words that the rule refuses.
  { files: ['tools/lint/words.mjs', 'tools/lint-canaries.mjs'], rules: { 'kontor/plain-prose': 'off' } },
);
