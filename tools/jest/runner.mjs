// jest's runner for this repository: each worker is one Node process that loads the modules once and runs many specs in them.
// jest's own runner gives every file a virtual machine and loads some thousand modules again for each: most of the time of a run.
import { createEmptyTestResult } from '@jest/test-result';
import { fork } from 'node:child_process';
import { appendFileSync } from 'node:fs';
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
    const { together, others } = inOrder(tests);
    const work = async (queue) => {
      let worker;
      for (let test; (test = queue.shift() ?? others.shift()) && !watcher.isInterrupted();) {
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
    await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane === 0 ? together : [])));
  }
}

/** Specs that share one distributed system run in one process, by name; whole-system specs begin, because they take longest. */
function inOrder(tests) {
  const isIn = (folder) => (test) => test.path.includes(folder);
  const together = tests.filter(isIn('/e2e/stack/')).sort((a, b) => a.path.localeCompare(b.path));
  const rest = tests.filter((test) => !together.includes(test));
  const whole = rest.filter(isIn('/e2e/'));
  return { together, others: [...whole, ...rest.filter((test) => !whole.includes(test))] };
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
