// For CI: no package that a change brings is younger than a week, so that one which was taken over has been noticed before it is
// installed here. Not as npm's min-release-age: that would refuse to install a lock file that was fine where the clock says otherwise.
// `node tools/package-ages.mjs [commit]`: compared with that commit's lock file, by default the parent's.
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const WEEK_MS = 7 * 86_400_000;
const MAX_QUESTIONS = 200;
const base = process.argv[2] ?? 'HEAD^';

/** `name@version` of everything that is locked and comes from the registry. */
const locked = (text) =>
  new Set(
    Object.entries(JSON.parse(text).packages)
      .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && entry.integrity)
      .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
  );

function skip(why) {
  console.log(`ages of packages: skipped, ${why}`);
  process.exit(0);
}

let before;
try {
  before = locked(
    execFileSync('git', ['show', `${base}:package-lock.json`], { encoding: 'utf8', maxBuffer: 1 << 26, stdio: 'pipe' }),
  );
} catch {
  skip(`there is no lock file of ${base} to compare with`);
}
const brought = [...locked(readFileSync('package-lock.json', 'utf8'))].filter((key) => !before.has(key));
if (brought.length > MAX_QUESTIONS)
  skip(`${brought.length} packages are new, which is no change but a new lock file: look at it by hand`);

/** When a version was published, in milliseconds; null when the registry cannot be asked. */
async function publishedAt(key) {
  const at = key.lastIndexOf('@');
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', key.slice(0, at), 'time', '--json'], {
      maxBuffer: 1 << 26,
    });
    return Date.parse(JSON.parse(stdout)[key.slice(at + 1)]);
  } catch {
    return null;
  }
}

const young = [];
for (const key of brought) {
  const at = await publishedAt(key);
  if (at === null) skip('the package registry cannot be reached');
  if (!(Date.now() - at >= WEEK_MS)) young.push(`${key} was published ${new Date(at).toISOString()}`);
}
for (const line of young) console.error(`younger than a week: ${line}`);
console.log(`ages of packages: ${brought.length} new since ${base}, ${young.length} younger than a week`);
process.exit(young.length === 0 ? 0 : 1);
