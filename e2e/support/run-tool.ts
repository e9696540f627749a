import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface ToolRun {
  readonly code: number | null;
  readonly output: string;
}

interface ToolOptions {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** A file of `tools/` that was begun on the system of a data folder; what it writes to both streams is its output. */
export class BegunTool {
  readonly child: ChildProcess;
  readonly ended: Promise<ToolRun>;

  constructor(tool: string, dataDir: string, { args = [], env = {} }: ToolOptions = {}) {
    const child = spawn(process.execPath, [join('tools', tool), ...args], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: '', ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    this.child = child;
    this.ended = new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
  }
}

/** The same to its end. */
export const runTool = (tool: string, dataDir: string, options?: ToolOptions): Promise<ToolRun> =>
  new BegunTool(tool, dataDir, options).ended;
