import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atProcessEnd, freePort } from '@kontor/testing';
import { Api, eventually, type Json, readDocument } from './api.js';

const root = join(import.meta.dirname, '..', '..');

export interface Connection {
  baseUrl: string;
  apiKey: string;
  tenantId: string;
  pid: number;
}

export interface Sandbox {
  tenantId: string;
  api: Api;
}

const NO_LIMITS = { RATE_LIMIT_SANDBOX: '10000000', RATE_LIMIT_SANDBOX_USAGE: '10000000' };

/** The first who asks starts the system, or who asks when it was ended; it is stopped when this test process ends. */
function oncePerProcess(start: () => Promise<System>): () => Promise<System> {
  let running: Promise<System> | undefined;
  return async () => {
    if (!running) {
      const begun = start();
      running = begun;
      atProcessEnd(async () => (await begun).stop());
      void begun.then((system) => system.outliveSpecs());
    }
    const system = await running;
    if (system.hasEnded) await system.start();
    return system;
  };
}

/** A running system: a process of its own, its data in a folder of its own. */
export class System {
  private child: ChildProcess | undefined;
  private output = '';
  private isShared = false;
  connection!: Connection;

  private constructor(
    readonly script: string,
    readonly args: readonly string[],
    readonly dataDir: string,
    readonly port: number,
    readonly env: NodeJS.ProcessEnv,
  ) {}

  private static async started(
    script: string,
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
    dataDir = mkdtempSync(join(tmpdir(), 'kontor-e2e-')),
  ): Promise<System> {
    const system = new System(script, args, dataDir, await freePort(), env);
    try {
      await system.start();
    } catch (error) {
      await system.stop();
      throw error;
    }
    return system;
  }

  /** The embedded shape: what `npm start` runs. */
  static embedded(env?: NodeJS.ProcessEnv): Promise<System> {
    return System.started('tools/embedded/dist/main.js', [], env);
  }

  /** The embedded shape in a folder that the caller made, and removes after `stop`. */
  static embeddedIn(dataDir: string, env?: NodeJS.ProcessEnv): Promise<System> {
    return System.started('tools/embedded/dist/main.js', [], env, dataDir);
  }

  /** The distributed shape: what `npm run stack` runs. */
  static stack(args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<System> {
    return System.started('tools/stack/main.mjs', args, env);
  }

  /** The distributed shape in a folder that the caller made, and removes after `stop`. */
  static stackIn(dataDir: string, env?: NodeJS.ProcessEnv): Promise<System> {
    return System.started('tools/stack/main.mjs', [], env, dataDir);
  }

  /** An embedded system for all scenarios of this process that need no more than a tenant of their own: it is not killed. */
  static readonly shared = oncePerProcess(() =>
    System.embedded({
      RATE_LIMIT_ANONYMOUS: '100000',
      RATE_LIMIT_LOGINS: '100000',
      RATE_LIMIT_SIGN_INS: '100000',
      RATE_LIMIT_ORDERS: '100000',
    }),
  );

  /** An embedded system for scenarios that kill and start it again, one after the other. */
  static readonly sharedToBeKilled = oncePerProcess(() => System.embedded(NO_LIMITS));

  /** A distributed system with two replicas of some services, for scenarios that kill services, one after the other. */
  static readonly sharedStack = oncePerProcess(() =>
    System.stack(
      ['--replicas', 'billing=2', '--replicas=usage=2', '--replicas=webhooks=2', '--replicas=identity=2'],
      NO_LIMITS,
    ),
  );

  get api(): Api {
    return new Api(this.connection.baseUrl, this.connection.apiKey);
  }

  async start(): Promise<void> {
    rmSync(join(this.dataDir, 'connection.json'), { force: true });
    this.child = spawn(process.execPath, [this.script, ...this.args], {
      cwd: root,
      env: {
        ...process.env,
        RATE_LIMIT_ENABLED: 'true',
        // Answers come when intents are there, and not when a busy machine has taken its time.
        FINALIZATION_WAIT_SECONDS: '25',
        NODE_OPTIONS: '',
        ...this.env,
        PORT: String(this.port),
        DATA_DIR: this.dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const collect = (chunk: Buffer): void => void (this.output = (this.output + chunk.toString()).slice(-20_000));
    this.child.stdout?.on('data', collect);
    this.child.stderr?.on('data', collect);
    const child = this.child;
    if (this.isShared) this.outliveSpecs();
    this.connection = await eventually<Connection>('the system writes its connection.json', async () => {
      if (child.exitCode !== null) throw new Error(`the system ended with ${child.exitCode}:\n${this.output}`);
      try {
        return JSON.parse(readFileSync(join(this.dataDir, 'connection.json'), 'utf8')) as Connection;
      } catch {
        return undefined;
      }
    }).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.output}`);
    });
    await readDocument(this.connection.baseUrl);
  }

  /** A further sandbox tenant, so that scenarios do not meet each other. */
  async sandbox(options: { name?: string; plan?: string; features?: string[]; now?: string } = {}): Promise<Sandbox> {
    const made: Json = await this.api.ok('POST', '/sandbox/tenants', {
      name: 'Scenario',
      plan: 'enterprise',
      features: ['WalletTopUp'],
      ...options,
    });
    return { tenantId: made.tenantId, api: new Api(this.connection.baseUrl, made.apiKey) };
  }

  /** A system that several specs share keeps none of them from ending. */
  outliveSpecs(): void {
    this.isShared = true;
    this.child?.unref();
    for (const stream of [this.child?.stdout, this.child?.stderr]) (stream as Socket | null | undefined)?.unref();
  }

  get hasEnded(): boolean {
    return this.child?.exitCode !== null || this.child.signalCode !== null;
  }

  /** Ends the process as a crash would. */
  kill(): void {
    this.child?.kill('SIGKILL');
  }

  /** Ends it as an operator does; its exit code. */
  async end(): Promise<number | null> {
    const child = this.child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.ref();
      child.kill('SIGTERM');
      await ended;
    }
    return child?.exitCode ?? null;
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  log(): string {
    return this.output;
  }
}

/** Lets a sandbox tenant's time pass and waits until everything due has happened. Fails on any problem. */
export async function advance(api: Api, to: string): Promise<void> {
  await api.ok('POST', '/sandbox/clock/advance', { to });
  const clock = await eventually<Json>(`the clock reaches ${to}`, async () => {
    const now: Json = await api.ok('GET', '/sandbox/clock');
    return now.status === 'ready' ? now : undefined;
  });
  if (clock.problems.length > 0) throw new Error(`the advance ended with problems: ${JSON.stringify(clock.problems)}`);
}
