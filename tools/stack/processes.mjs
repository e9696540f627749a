// One service process and its life: started, watched, started again when it crashes, stopped when asked.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLimitedFile } from '../embedded/dist/limited-file.js';

const STEADY_MS = 10_000;
const LONGEST_PAUSE_MS = 5_000;
const STOP_MS = 25_000;

/** Keeps `node <script>` running until `stop`. Its output goes to `logFile`, of which lines are dropped while the disk is full. A large one is set aside. */
export class Supervised {
  #child;
  #stopping = false;
  #ended = Promise.resolve();
  #failures = 0;
  #lastLines = '';

  /** True once all of the system has come up. Until then every end counts, however long the start took on a busy machine. */
  isSettled = false;

  constructor({ name, script, env, logFile, root, onRestart, steadyMs = STEADY_MS, logOptions = {} }) {
    Object.assign(this, { name, script, env, root, onRestart, steadyMs });
    Object.assign(this, openLimitedFile(logFile, logOptions));
    this.#start();
  }

  get running() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it said last: shown when the system does not come up. */
  get lastLine() {
    return this.#lastLines.trim().split('\n').at(-1);
  }

  get failures() {
    return this.#failures;
  }

  #start() {
    const startedAt = Date.now();
    const again = (reason) => void this.#again(reason, Date.now() - startedAt);
    // Without a process, memory or open files left there is none for now, which Node.js throws or reports. It is tried again.
    const failed = (error) => {
      this.#child = undefined;
      this.#lastLines = error.message;
      again(error.code);
    };
    try {
      const child = this.#spawn();
      this.#child = child;
      child.once('error', (error) => child.pid === undefined && failed(error));
      if (child.pid === undefined) return;
      for (const output of [child.stdout, child.stderr])
        output.setEncoding('utf8').on('data', (chunk) => this.#collect(chunk));
      this.#ended = new Promise((done) => child.once('exit', done));
      child.once('exit', (code, signal) => again(code ?? signal));
    } catch (error) {
      failed(error);
    }
  }

  #spawn() {
    return spawn(process.execPath, [this.script], {
      cwd: this.root,
      env: this.env,
      // Nothing is sent by the channel; the process ends when it closes, which it does with this one.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
  }

  #collect(chunk) {
    this.file.write(chunk);
    this.#lastLines = (this.#lastLines + chunk).slice(-2_000);
  }

  async #again(reason, livedMs) {
    if (this.#stopping) return;
    this.#failures = this.isSettled && livedMs > this.steadyMs ? 1 : this.#failures + 1;
    this.onRestart?.(this, reason);
    await sleep(Math.min(100 * 2 ** this.#failures, LONGEST_PAUSE_MS));
    if (!this.#stopping) this.#start();
  }

  /** SIGTERM, and what is left after a while is ended for good. */
  async stop() {
    this.#stopping = true;
    if (this.running) {
      this.#child.kill('SIGTERM');
      const late = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
      await this.#ended;
      clearTimeout(late);
    }
    this.endLooking();
    this.file.end();
  }
}
