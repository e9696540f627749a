// The official validators of e-invoices and PDF/A: jars from Maven Central, one Java process for many files.
// As a program: `node tools/validators/start.mjs file.xml file.pdf …` prints what is wrong with each.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const INSTALL_HINT = 'apt-get install -y default-jre-headless maven';

/** Another folder for other jars or another program: both are kept between runs. */
const digest = ['pom.xml', 'Validate.java'].reduce(
  (hash, file) => hash.update(readFileSync(join(here, file))),
  createHash('sha256'),
);
const folder = join(resolve(here, '../..'), '.cache/validators', digest.digest('hex').slice(0, 12));

const exists = async (command, argument) =>
  run(command, [argument]).then(
    () => true,
    () => false,
  );

/** Null when the validators can be started here, else what is missing. */
export async function validatorsMissing() {
  if (!(await exists('java', '-version'))) return `Java 17 is missing (${INSTALL_HINT})`;
  if (!existsSync(folder) && !(await exists('mvn', '-version'))) return `Maven is missing (${INSTALL_HINT})`;
  return null;
}

async function install() {
  if (existsSync(folder)) return;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
  const settings = ['-s', join(here, 'settings.xml'), '-f', join(here, 'pom.xml')];
  await run('mvn', ['-q', '-B', ...settings, goal, `-DoutputDirectory=${join(partial, 'jars')}`], {
    maxBuffer: 1 << 26,
  });
  const classPath = `${join(partial, 'jars')}/*`;
  const compile = ['-17', '-nowarn', '-cp', jarsOf(partial), '-d', join(partial, 'classes')];
  const compiler = ['org.eclipse.jdt.internal.compiler.batch.Main', ...compile, join(here, 'Validate.java')];
  await run('java', ['-cp', classPath, ...compiler], { maxBuffer: 1 << 26 });
  // Two processes may have fetched at once: the first one's folder stays.
  try {
    renameSync(partial, folder);
  } catch {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** The compiler knows no wildcards. */
const jarsOf = (base) => join(base, 'jars/validator-2.25.0-shaded.jar');

/**
 * @typedef {{ flag: 'fatal' | 'error' | 'warning' | 'information', rule: string, text: string }} Finding
 * @typedef {'cii' | 'facturx' | 'ubl' | 'pdf' | 'accessible' | 'hybrid'} Kind
 */

/**
 * Starts the process. `check` answers what is found wrong with a file, one after the other in the order of the calls.
 * @returns {Promise<{ check(kind: Kind, file: Uint8Array): Promise<Finding[]>, stop(): Promise<void> }>}
 */
export async function startValidators() {
  const missing = await validatorsMissing();
  if (missing) throw new Error(missing);
  await install();
  const classPath = `${join(folder, 'classes')}:${join(folder, 'jars')}/*`;
  const flags = ['-Xmx768m', '-XX:+UseSerialGC', '-Djava.awt.headless=true', '-Dfile.encoding=UTF-8'];
  const child = spawn('java', [...flags, '-cp', classPath, 'Validate'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map();
  let lastId = 0;
  let said = '';
  child.stderr.on('data', (data) => (said = (said + data).slice(-4000)));
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [id, answer = ''] = line.split(' ');
    waiting.get(id)?.resolve(Buffer.from(answer, 'base64').toString());
    waiting.delete(id);
  });
  const ended = new Promise((done) => child.once('close', done));
  void ended.then((code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the validators ended with code ${code}: ${said}`));
  });
  const cleanUp = () => child.kill('SIGKILL');
  process.once('exit', cleanUp);
  return {
    async check(kind, file) {
      if (child.exitCode !== null) throw new Error(`the validators ended with code ${child.exitCode}: ${said}`);
      const id = String(++lastId);
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      child.stdin.write(`${id} ${kind} ${Buffer.from(file).toString('base64')}\n`);
      return (await answer)
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t'))
        .map(([flag = 'fatal', rule = '', text = '']) => ({ flag, rule, text }));
    },
    async stop() {
      process.removeListener('exit', cleanUp);
      child.stdin.end();
      await ended;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const validators = await startValidators();
  for (const path of process.argv.slice(2)) {
    const file = readFileSync(path);
    const ofXml = file.includes('CrossIndustryInvoice') ? ['facturx'] : ['ubl'];
    const kinds = file.subarray(0, 5).toString() === '%PDF-' ? ['pdf', 'accessible', 'hybrid'] : ofXml;
    for (const kind of kinds)
      for (const { flag, rule, text } of await validators.check(kind, file))
        console.log(`${path}\t${kind}\t${flag}\t${rule}\t${text}`);
  }
  await validators.stop();
}
