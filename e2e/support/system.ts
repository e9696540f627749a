import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@kontor/testing';
import { Api, eventually, type Json } from './api.js';

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

/** A running system: a process of its own, its data in a folder of its own. */
export class System {
  private child: ChildProcess | undefined;
  private output = '';
  connection!: Connection;

  private constructor(
    readonly script: string,
    readonly args: readonly string[],
    readonly dataDir: string,
    readonly port: number,
    readonly env: NodeJS.ProcessEnv,
  ) {}

  /** The embedded shape: what `npm start` runs. */
  static async embedded(env: NodeJS.ProcessEnv = {}): Promise<System> {
    const system = new System('tools/embedded/dist/main.js', [], mkdtempSync(join(tmpdir(), 'kontor-e2e-')), await freePort(), env);
    await system.start();
    return system;
  }

  /** The distributed shape: what `npm run stack` runs. */
  static async stack(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<System> {
    const system = new System('tools/stack/main.mjs', args, mkdtempSync(join(tmpdir(), 'kontor-e2e-')), await freePort(), env);
    await system.start(180_000);
    return system;
  }

  get api(): Api {
    return new Api(this.connection.baseUrl, this.connection.apiKey);
  }

  async start(timeoutMs = 90_000): Promise<void> {
    rmSync(join(this.dataDir, 'connection.json'), { force: true });
    this.child = spawn(process.execPath, [this.script, ...this.args], {
      cwd: root,
      env: { ...process.env, RATE_LIMIT_ENABLED: 'true', ...this.env, PORT: String(this.port), DATA_DIR: this.dataDir, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const collect = (chunk: Buffer): void => void (this.output = (this.output + chunk.toString()).slice(-20_000));
    this.child.stdout?.on('data', collect);
    this.child.stderr?.on('data', collect);
    const child = this.child;
    this.connection = await eventually<Connection>(
      'the system writes its connection.json',
      async () => {
        if (child.exitCode !== null) throw new Error(`the system ended with ${child.exitCode}:\n${this.output}`);
        try {
          return JSON.parse(readFileSync(join(this.dataDir, 'connection.json'), 'utf8')) as Connection;
        } catch {
          return undefined;
        }
      },
      timeoutMs,
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.output}`);
    });
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

  /** Ends the process as a crash would. */
  kill(): void {
    this.child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    const child = this.child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  log(): string {
    return this.output;
  }
}

/** Lets a sandbox tenant's time pass and waits until everything due has happened. Fails on any problem. */
export async function advance(api: Api, to: string, timeoutMs = 240_000): Promise<void> {
  await api.ok('POST', '/sandbox/clock/advance', { to });
  const clock = await eventually<Json>(
    `the clock reaches ${to}`,
    async () => {
      const now: Json = await api.ok('GET', '/sandbox/clock');
      return now.status === 'ready' ? now : undefined;
    },
    timeoutMs,
  );
  if (clock.problems.length > 0) throw new Error(`the advance ended with problems: ${JSON.stringify(clock.problems)}`);
}
