import { expect, it } from '@jest/globals';
import { eventually } from './support/api.js';
import { BegunTool } from './support/run-tool.js';
import { System } from './support/system.js';

it('npm run seed goes on with the tenant of a run that was interrupted', async () => {
  const { dataDir } = await System.shared();
  const loaded = async (args: string[], customers: number): Promise<string> => {
    const tool = new BegunTool('seed/main.mjs', dataDir, { args: ['--no-year', ...args] });
    let output = '';
    for (const stream of [tool.child.stdout!, tool.child.stderr!])
      stream.on('data', (chunk) => (output += String(chunk)));
    const isThere = (): boolean => output.includes(`customers: ${customers} of 200`);
    await eventually(`${customers} customers`, async () => isThere() || tool.child.exitCode !== null);
    tool.child.kill('SIGKILL');
    await tool.ended;
    expect(output).toContain(`customers: ${customers} of 200`);
    return output;
  };
  const [key] = /api_\S+/.exec(await loaded([], 20))!;
  await loaded(['--tenant', key], 40);
});
