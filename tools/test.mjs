// `npm test`: lint and build checks, and beside them every spec (pure rules, services on a real PostgreSQL, whole-system scenarios).
// `npm test -- apps/billing` runs only the specs whose path matches. Kafka and Redis parts are skipped, and said to be
// skipped, where neither a server nor the tools to start one exist, schemathesis where Python or its registry are missing, the
// official validators of e-invoices where Java or Maven are, and pages in a browser where no Chromium is installed;
// REQUIRE_KAFKA=1, REQUIRE_REDIS=1, REQUIRE_SCHEMATHESIS=1, REQUIRE_VALIDATORS=1 and REQUIRE_CHROMIUM=1 make that a failure.
//
// What takes long by nature (models of thousands of steps, each place at which a process may be killed, big data) runs as a
// share that follows from the commit; TEST_SEED=<n> runs another one. `npm run test:long` runs all of it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const isLong = process.argv.includes('--long');
const patterns = process.argv.slice(2).filter((argument) => argument !== '--long');
const seed = process.env.TEST_SEED ?? String(seedOfCommit());
const totals = { passed: 0, failed: 0, skipped: 0 };
let broken = false;
const SCRATCH = 'kontor-run-';
/** Temporary folders of this run; it goes with the run, whatever its specs left there. */
const scratch = mkdtempSync(join(tmpdir(), `${SCRATCH}${process.pid}-`));
// PostgreSQL, under a user of its own, has folders in it.
chmodSync(scratch, 0o755);

/** Those of runs that were killed. */
function removeVanishedRuns() {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${SCRATCH}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(tmpdir(), name));
  }
}

/** Removes a folder as far as it can be: what is mounted or still written to is left, and says so; no result depends on it. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.warn(`${folder} is left: ${error.code}`);
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The first digits of the commit's hash; 1 where there is no git. */
function seedOfCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : 1;
}

/** Specs that take a share of something long. */
const longSpecs = () =>
  globSync('{apps,libs,e2e,tools}/**/*.spec.ts', {
    cwd: root,
    exclude: (name) => /node_modules|dist/.test(name),
  }).filter((file) => /\b(howMany|shareOf)\(/.test(readFileSync(join(root, file), 'utf8')));

/** Whether it ended well. */
async function run(args, stdio = 'inherit') {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio,
    env: {
      ...process.env,
      TMPDIR: scratch,
      NODE_NO_WARNINGS: '1',
      TEST_SEED: seed,
      // Systems are started a hundred times: a quarter of each start is compiling.
      NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
      ...(isLong ? { TEST_LONG: '1' } : {}),
    },
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output?.setEncoding('utf8').on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  process.stdout.write(said);
  return code === 0;
}

async function jest(args) {
  const report = join(scratch, 'report.json');
  const ok = await run(['node_modules/jest/bin/jest.js', '--json', `--outputFile=${report}`, ...args]);
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    totals.passed += result.numPassedTests;
    totals.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
    totals.skipped += result.numPendingTests;
  } catch {
    broken = true;
  }
  if (!ok) broken = true;
}

/** Most of it keeps one core busy: it runs beside the specs, and what it says comes in one piece when it ends. */
async function check() {
  if (!(await run(['tools/check.mjs'], 'pipe'))) broken = true;
}

removeVanishedRuns();
process.once('exit', () => remove(scratch));
if (isLong) {
  console.log(`All of what takes long, with TEST_SEED=${seed}.`);
  await jest(['--testTimeout=14400000', ...(patterns.length > 0 ? patterns : ['--runTestsByPath', ...longSpecs()])]);
} else {
  console.log(`Of what takes long: the share of TEST_SEED=${seed}. All of it: npm run test:long.`);
  await Promise.all([jest(patterns), ...(patterns.length === 0 ? [check()] : [])]);
}

console.log(`\n${totals.passed} passed, ${totals.failed} failed${totals.skipped ? `, ${totals.skipped} skipped` : ''}`);
process.exit(broken || totals.failed > 0 ? 1 : 0);
