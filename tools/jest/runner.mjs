// jest's runner for this repository: each worker is one Node process that loads the modules once and runs many specs in them.
// jest's own runner gives every file a virtual machine and loads some thousand modules again for each: most of the time of a run.
import { createEmptyTestResult } from '@jest/test-result';
import { fork } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatExecError, formatResultsErrors } from 'jest-message-util';

const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url));
const FLAGS = ['--conditions=@kontor/source', '--enable-source-maps', '--no-warnings'];

export default class Runner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure, { serial }) {
    const lanes = serial ? 1 : Math.min(this.globalConfig.maxWorkers, tests.length);
    const { groups, others } = inOrder(tests);
    /** All of a queue, one after the other in one process, unless it ends under one of them. */
    const work = async (queue) => {
      let worker;
      for (let test; !watcher.isInterrupted() && (test = queue.shift());) {
        worker ??= new Worker(this.globalConfig);
        await onStart(test);
        try {
          const result = await worker.run(test.path);
          if (result.notLoaded) await onFailure(test, result.notLoaded);
          else await onResult(test, resultOf(result, test, this.globalConfig));
        } catch (error) {
          worker = undefined;
          await onFailure(test, { message: error.message, stack: error.stack });
        }
      }
      await worker?.end();
    };
    const lane = async () => {
      for (let group; (group = groups.shift());) await work(group);
      await work(others);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }
}

/** Of systems that several specs share (e2e/support/system.ts), the one that each of them uses; what kills it decides. */
const SHARED = ['System.sharedStack(', 'System.sharedToBeKilled(', 'System.shared('];

/**
 * Specs that share a running system are a group, in a process of its own: with the last of them the system ends, which even idle
 * takes from those that follow. All on Kafka are one group, by name, first those with a system of their own. Then whole-system specs
 * begin, because they take longest.
 */
function inOrder(tests) {
  const isIn = (folder) => (test) => test.path.includes(folder);
  const [whole, parts] = divide(tests, isIn('/e2e/'));
  const [onKafka, embedded] = divide(whole, isIn('/e2e/stack/'));
  const sharedBy = new Map(
    whole.map((test) => [test, SHARED.find((call) => readFileSync(test.path, 'utf8').includes(call))]),
  );
  const [sharing, alone] = divide(
    onKafka.sort((a, b) => a.path.localeCompare(b.path)),
    (test) => sharedBy.get(test),
  );
  const groups = [
    [...alone, ...sharing],
    ...SHARED.map((call) => embedded.filter((test) => sharedBy.get(test) === call)),
  ];
  return {
    groups: groups.filter((group) => group.length > 0),
    others: [...embedded.filter((test) => !sharedBy.get(test)), ...parts],
  };
}

/** Those for which it holds, and the others. */
function divide(tests, holds) {
  return [tests.filter((test) => holds(test)), tests.filter((test) => !holds(test))];
}

class Worker {
  constructor({ testTimeout = 5_000, maxConcurrency, testNamePattern }) {
    const options = JSON.stringify({ testTimeout, maxConcurrency, testNamePattern });
    this.child = fork(WORKER, [options], { execArgv: FLAGS, serialization: 'advanced' });
    this.ended = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve(signal ?? code)));
    this.ready = this.answer();
  }

  async run(path) {
    await this.ready;
    this.child.send({ path });
    return this.answer();
  }

  answer() {
    return Promise.race([
      new Promise((resolve) => this.child.once('message', resolve)),
      this.ended.then((how) => Promise.reject(new Error(`the test process ended with ${how}`))),
    ]);
  }

  async end() {
    this.child.disconnect();
    await this.ended;
  }
}

function resultOf({ start, loaded, end, cpu, tests, errors }, test, globalConfig) {
  if (process.env.TEST_TIMES) {
    const line = { path: test.path, seconds: (end - start) / 1000, loading: (loaded - start) / 1000, cpu };
    appendFileSync(process.env.TEST_TIMES, `${JSON.stringify(line)}\n`);
  }
  const { config } = test.context;
  const count = (status) => tests.filter((testCase) => testCase.status === status).length;
  const execution = errors.map((stack) => ({ message: '', stack: String(stack) }));
  const failures = [
    formatResultsErrors(tests, config, globalConfig, test.path) ?? '',
    ...execution.map((error) => formatExecError(error, config, globalConfig, test.path)),
  ].filter(Boolean);
  return {
    ...createEmptyTestResult(),
    failureMessage: failures.length > 0 ? failures.join('\n\n') : null,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    perfStats: {
      start,
      end,
      runtime: end - start,
      slow: (end - start) / 1000 > config.slowTestThreshold,
      loadTestEnvironmentStart: start,
      loadTestEnvironmentEnd: start,
      setupFilesStart: start,
      setupFilesEnd: loaded,
    },
    testExecError: execution[0],
    testFilePath: test.path,
    testResults: tests,
  };
}
