import { beforeAll, describe, expect, it } from '@jest/globals';
import { runTool } from './support/run-tool.js';
import { System } from './support/system.js';

const OTHER_KEY = '33'.repeat(32);

describe.each(['check-invariants.mjs', 'parked.mjs'])('%s', (tool) => {
  let system: System;
  beforeAll(async () => {
    system = await System.sharedToBeKilled();
  });

  it.each([
    ['a secrets key of another system', { SECRETS_KEY: OTHER_KEY }, /passwords that follow from the secrets key/],
    [
      'no secrets key',
      { DATABASE_ADMIN_URL: 'postgres://u:p@127.0.0.1:9/postgres', DATA_DIR: '/dev/null' },
      /^The secrets key cannot be read /,
    ],
    ['a server that is not there', server('postgres://u:p@127.0.0.1:9/postgres'), /cannot be reached/],
    ['what is no address', server('localhost'), /^DATABASE_ADMIN_URL must be a URL/],
  ])('says in one line what is wrong with %s', async (_case, env, line) => {
    const { code, output } = await runTool(tool, system.dataDir, { env });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });

  it('refuses an argument that it does not know', async () => {
    const { code, output } = await runTool(tool, system.dataDir, { args: ['--all'] });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([expect.stringMatching(/^Usage: npm run /)]);
  });
});

function server(url: string): NodeJS.ProcessEnv {
  return { DATABASE_ADMIN_URL: url, SECRETS_KEY: OTHER_KEY };
}
