// Subjects of commits: "fix(payments): refuse a refund beyond the rest". Older commits stay as they are.
import { execFileSync } from 'node:child_process';

const SINCE = '2026-11-22T16:30:00Z';
const MAX_LENGTH = 72;
const SHAPE = /^(feat|fix|perf|refactor|test|docs|style|build|ci|bench|chore|revert)(\([a-z0-9-]+\))?!?: (\S+)/;
/** Words that a command does not begin with: articles, pronouns, and verbs in another form. */
const NO_COMMAND = /^(an?|the|this|these|it|its|every|each|all|no|what|where|when|how|there|now|[a-z]{3,}(ed|ing))$/i;
const COMMANDS = new Set(['bring', 'embed', 'exceed', 'feed', 'need', 'proceed', 'seed', 'shed', 'speed', 'string']);

/** What is wrong with a subject; null when nothing is. */
export function subjectFault(subject) {
  if (subject.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  const first = SHAPE.exec(subject)?.[3];
  if (first === undefined) return 'does not begin with its kind, like "fix(payments): "';
  if (NO_COMMAND.test(first) && !COMMANDS.has(first)) return `is no command: "${first}"`;
  return null;
}

/** The commits of a checkout; a copy without history has none. */
export function commitFaults(root) {
  const git = ['log', '--no-merges', `--since=${SINCE}`, '--format=%h %s'];
  let log;
  try {
    log = execFileSync('git', git, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return [];
  }
  return log
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const [commit, subject] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
      const fault = subjectFault(subject);
      return fault ? [`commit ${commit}: "${subject}" ${fault}`] : [];
    });
}
