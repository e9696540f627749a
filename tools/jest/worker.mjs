// A process of the runner: runs one spec after the other, each in the same modules.
import { jestExpect } from '@jest/expect';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import './hooks.mjs';

const LONGEST_CLOSING_MS = 20_000;
const MAX_HOLD_MS = 1000;
const HOLDS = Symbol.for('kontor.event-loop-holds');
const { testTimeout, maxConcurrency, testNamePattern } = JSON.parse(process.argv[2]);

addEventHandler((event, state) => {
  if (event.name === 'run_start') withoutOwnTimeouts(state.rootDescribeBlock);
  if (event.name === 'test_start') jestExpect.setState({ currentTestName: event.test.name });
  if (event.name !== 'test_done') return;
  const { suppressedErrors } = jestExpect.getState();
  jestExpect.setState({ suppressedErrors: [] });
  event.test.errors.push(...suppressedErrors);
  event.test.errors.push(...jestExpect.extractExpectedAssertionsErrors().map((failure) => failure.error));
});

/** A shorter time-out than the configured one would hold on a quiet machine only. */
function withoutOwnTimeouts({ hooks, children }) {
  for (const hook of hooks) hook.timeout = undefined;
  for (const child of children)
    if (child.type === 'describeBlock') withoutOwnTimeouts(child);
    else child.timeout = undefined;
}

/** An error that nobody caught fails the test that runs, or the file. */
const uncaught = (error) => {
  const state = getState();
  (state.currentlyRunningTest?.errors ?? state.unhandledErrors).push(error);
};
process.on('uncaughtException', uncaught);
process.on('unhandledRejection', uncaught);

async function runFile(path) {
  resetState();
  Object.assign(getState(), {
    testTimeout,
    maxConcurrency,
    testNamePattern: testNamePattern ? new RegExp(testNamePattern, 'i') : null,
  });
  jestExpect.setState({ testPath: path, suppressedErrors: [], assertionCalls: 0 });
  const start = Date.now();
  const before = process.cpuUsage();
  const openBefore = openNow();
  try {
    await import(pathToFileURL(path).href);
  } catch (error) {
    return { notLoaded: { message: error?.message ?? String(error), stack: error?.stack } };
  }
  const loaded = Date.now();
  const holds = (globalThis[HOLDS] = []);
  const { testResults, unhandledErrors } = await run();
  const left = await leftOpen(openBefore);
  const { user, system } = process.cpuUsage(before);
  return {
    start,
    loaded,
    end: Date.now(),
    cpu: (user + system) / 1e6,
    tests: testResults.map(represent),
    errors: [...unhandledErrors, ...left, ...tooLong(holds)],
  };
}

/**
 * Requests of a spec that held the event loop: in time of this thread's own work, so that a busy machine alone does
 * nothing, and five times of what is allowed, because cold code is slow.
 */
const tooLong = (holds) =>
  holds
    .filter(({ operation, ms }) => operation && ms >= MAX_HOLD_MS)
    .map(({ operation, ms }) => `${operation} held the event loop for ${ms} ms`);

/** What keeps this process alive, counted by kind: sockets, servers, timers, child processes. */
function openNow() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** A spec that leaves something open would disturb those that follow in this process, and fails. */
async function leftOpen(before) {
  const more = () => [...openNow()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
  for (const end = Date.now() + LONGEST_CLOSING_MS; more().length > 0 && Date.now() < end;)
    await sleep(10, undefined, { ref: false });
  return more().map(([kind, count]) => `The file leaves open: ${count - (before.get(kind) ?? 0)} × ${kind}`);
}

const represent = ({ testPath, status, duration, errors, startedAt, numPassingAsserts, invocations }) => ({
  title: testPath.at(-1),
  ancestorTitles: testPath.slice(1, -1),
  fullName: testPath.slice(1).join(' '),
  status: status === 'skip' ? 'pending' : status === 'todo' ? 'todo' : errors.length > 0 ? 'failed' : 'passed',
  duration,
  failureMessages: errors,
  failureDetails: [],
  invocations,
  location: null,
  numPassingAsserts,
  retryReasons: [],
  startAt: startedAt,
});

const AT_END = Symbol.for('kontor.test-process-end');

/** What several specs shared ends when the runner has no more for this process: `atProcessEnd` of @kontor/testing. */
async function end() {
  for (const stop of globalThis[AT_END] ?? []) await stop().catch((error) => process.stderr.write(`${error.stack}\n`));
}

process.on('message', async ({ path }) => process.send(await runFile(path)));
process.once('disconnect', () => void end().finally(() => process.exit()));
process.send({ ready: true });
