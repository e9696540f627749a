import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface ToolRun {
  readonly code: number | null;
  readonly output: string;
}

/** A file of `tools/` on the system of a data folder; what it writes to both streams is its output. */
export async function runTool(
  tool: string,
  dataDir: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<ToolRun> {
  const child = spawn(process.execPath, [join('tools', tool), ...args], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: '', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
