import { runTool, type ToolRun } from './run-tool.js';

/** `npm run check:invariants` on the running system. */
export const invariants = (dataDir: string, env?: NodeJS.ProcessEnv): Promise<ToolRun> =>
  runTool('check-invariants.mjs', dataDir, env ? { env } : {});
