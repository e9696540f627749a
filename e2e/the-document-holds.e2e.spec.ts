import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { howMany, shareOf, testSeed } from '@kontor/testing';
import { EXCEPTIONS, exceptionsFor } from './schemathesis/exceptions.js';
import { installSchemathesis } from './schemathesis/install.js';
import { type Finding, readReport, type Report } from './schemathesis/report.js';
import { System } from './support/system.js';

/** Random requests of each operation. */
const EXAMPLES = howMany(3, 50);
/** Operations whose every limit is tried from both sides. */
const COVERED = 20;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
];

const installed = await installSchemathesis();
if ('missing' in installed) {
  if (process.env['REQUIRE_SCHEMATHESIS'] === '1') throw new Error(installed.missing);
  process.stderr.write(`Skipped: ${installed.missing}\n`);
}

('st' in installed ? describe : describe.skip)('the whole API, asked by schemathesis', () => {
  const st = 'st' in installed ? installed.st : '';
  const met = new Set<unknown>();
  let system: System;

  beforeAll(async () => {
    const limit = '100000000';
    system = await System.embedded({
      RATE_LIMIT_SANDBOX: limit,
      RATE_LIMIT_SANDBOX_USAGE: limit,
      RATE_LIMIT_ANONYMOUS: limit,
      RATE_LIMIT_LOGINS: limit,
      RATE_LIMIT_SIGN_INS: limit,
      RATE_LIMIT_ORDERS: limit,
    });
  });
  afterAll(() => system?.stop());

  /** Answers as documented, what follows the document is accepted, what does not is refused. */
  function holds({ findings, errors }: Report): void {
    expect(errors).toEqual([]);
    const unexpected = new Map<string, string>();
    for (const finding of findings) {
      const exceptions = exceptionsFor(finding);
      for (const exception of exceptions) met.add(exception);
      if (exceptions.length === 0) unexpected.set(kindOf(finding), finding.story);
    }
    expect([...unexpected.values()]).toEqual([]);
  }

  it('holds at the limits of every field', async () => {
    const ids = shareOf(await operationIds(system), COVERED);
    const only = ids.flatMap((id) => ['--include-operation-id', id]);
    const report = await run(st, system, ['--phases', 'coverage', ...only]);
    expect(report.answers.get('coverage') ?? 0).toBeGreaterThan(ids.length * 5);
    holds(report);
  });

  it('holds for random requests, alone and in sequences that use what was made before', async () => {
    const report = await run(st, system, ['--phases', 'fuzzing,stateful', '--max-examples', String(EXAMPLES)]);
    expect(report.answers.get('fuzzing') ?? 0).toBeGreaterThan(200);
    expect(report.answers.get('stateful') ?? 0).toBeGreaterThan(10);
    expect(report.succeeded.size).toBeGreaterThan(50);
    holds(report);
  });

  // A share of the operations does not meet each exception.
  (howMany(0, 1) === 1 ? it : it.skip)('knows no exception that is none any more', () => {
    expect(EXCEPTIONS.filter((exception) => !met.has(exception) && !exception.rare)).toEqual([]);
  });
});

/** What one story stands for: the same refusal of the same operation. */
const kindOf = ({ check, operation, status, reason, violations }: Finding): string =>
  [check, operation, status, reason, ...violations.map(({ code, propertyPath }) => `${code} ${propertyPath}`)].join(
    ' ',
  );

async function operationIds({ connection }: System): Promise<string[]> {
  const { paths } = (await (await fetch(`${connection.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.values(paths).flatMap((item) =>
    METHODS.flatMap((method) => (item[method] ? [item[method].operationId] : [])),
  );
}

/** Ends when schemathesis has: with 0, or with 1 because of findings, which are in the report. */
async function run(st: string, { connection }: System, what: readonly string[]): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-schemathesis-'));
  const report = join(folder, 'report.ndjson');
  const args = [
    ['run', `${connection.baseUrl}/openapi.json`, '--header', `Authorization: Bearer ${connection.apiKey}`, ...what],
    // OAuth refuses in its own way, and asks people and cookies: openid-client holds it to its standards.
    ['--exclude-path-regex', '^/(oauth2/|userinfo)'],
    ['--checks', CHECKS.join(','), '--continue-on-failure', '--no-shrink', '--seed', String(testSeed)],
    // One request at a time, as long as it takes: what is found depends on the seed alone.
    ['--workers', '1', '--request-timeout', '600', '--suppress-health-check', 'all'],
    ['--generation-database', 'none', '--generation-allow-x00', 'false'],
    ['--output-sanitize', 'false', '--no-color', '--report', 'ndjson', '--report-ndjson-path', report],
  ].flat();
  try {
    const child = spawn(st, args, {
      cwd: folder,
      env: { ...process.env, SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis', 'hooks.py') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-5_000));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0 && code !== 1) throw new Error(`schemathesis ended with ${code}:\n${output}`);
    return await readReport(report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
