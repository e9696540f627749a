// `npm test`: lint and build checks, then every spec (pure rules, services on a real PostgreSQL, whole-system scenarios).
// `npm test -- apps/billing` runs only the specs whose path matches. Kafka and Redis parts are skipped, and said to be
// skipped, where neither a server nor the tools to start one exist; REQUIRE_KAFKA=1 and REQUIRE_REDIS=1 make that a failure.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const patterns = process.argv.slice(2);
const totals = { passed: 0, failed: 0, skipped: 0 };
let broken = false;

const run = (args) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_NO_WARNINGS: '1' } }).status === 0;

function jest(name, args) {
  const report = join(tmpdir(), `kontor-test-${process.pid}-${name}.json`);
  const ok = run([
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    '--passWithNoTests',
    ...args,
  ]);
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    totals.passed += result.numPassedTests;
    totals.failed += result.numFailedTests;
    totals.skipped += result.numPendingTests;
    if (result.numRuntimeErrorTestSuites > 0) totals.failed += result.numRuntimeErrorTestSuites;
    rmSync(report);
  } catch {
    broken = true;
  }
  if (!ok) broken = true;
}

if (patterns.length === 0 && !run(['tools/check.mjs'])) broken = true;
jest('unit', [...patterns, '--testPathIgnorePatterns', '/node_modules/', '/dist/', '/e2e/']);
// Whole-system scenarios start processes of their own: one after the other, so that two cores are not torn apart.
jest('e2e', [...patterns, '--testPathIgnorePatterns', '/node_modules/', '/dist/', '/libs/', '/apps/', '--runInBand']);

console.log(`\n${totals.passed} passed, ${totals.failed} failed${totals.skipped ? `, ${totals.skipped} skipped` : ''}`);
process.exit(broken || totals.failed > 0 ? 1 : 0);
