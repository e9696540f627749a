import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import * as oidc from 'openid-client';
import { Api, eventually } from '../support/api.js';
import { Connect } from '../support/connect.js';
import { pidsOf } from '../support/processes.js';
import { describeOnKafka } from '../support/requirements.js';
import { System } from '../support/system.js';

/** What was on its way to a process that died is answered 503, and asked again by who asked. */
const isAway = (error: unknown): boolean => {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Response && cause.status === 503;
};
const insistently = async <T>(ask: () => Promise<T>): Promise<T> => {
  const { answer } = await eventually('an answer', async () => {
    try {
      return { answer: await ask() };
    } catch (error) {
      if (isAway(error)) return undefined;
      throw error;
    }
  });
  return answer;
};

describeOnKafka('sign-ins to apps, with two processes of identity', () => {
  let system: System;
  let connect: Connect;
  beforeAll(async () => {
    system = await System.sharedStack();
    connect = new Connect(system);
  });

  /** Both run, and take requests. */
  const twoOfIdentity = (): Promise<number[]> =>
    eventually('two processes of identity', async () => {
      const { ports } = JSON.parse(readFileSync(join(system.dataDir, 'processes.json'), 'utf8')) as {
        ports: Record<string, number[]>;
      };
      const asked = ports['identity']!.map((port) => fetch(`http://127.0.0.1:${port}/internal/health`));
      const answers = await Promise.all(asked).catch(() => []);
      const pids = pidsOf('identity', system.dataDir);
      return answers.length === 2 && answers.every(({ ok }) => ok) && pids.length === 2 && pids;
    });
  /** Somebody whom identity knows: links are mailed to nobody else, and who has just begun to read events knows them a moment later. */
  const someoneKnown = async (): Promise<string> => {
    const { id, email } = await connect.someone();
    await eventually('identity knows them', async () => {
      const { status } = await system.api.post(`/customers/${id}/authenticate`);
      return status < 300;
    });
    return email;
  };

  it('get tokens for a code although the one or the other process ends in between', async () => {
    const { config } = await connect.anApp();
    // Whichever made a code: each of the two ends once.
    for (const pid of await twoOfIdentity()) {
      const { redeem, returned } = await connect.signIn(config, await someoneKnown());
      expect(returned.searchParams.get('code')).toBeTruthy();
      process.kill(pid, 'SIGKILL');
      const tokens = await insistently(redeem);
      expect(tokens.claims()?.iss).toBe(system.connection.baseUrl);
      // The gateway asks the process that is left, and nobody has to come again.
      const app = new Api(system.connection.baseUrl, tokens.access_token);
      expect((await app.get('/entitlements')).status).toBe(200);
      await expect(insistently(redeem)).rejects.toMatchObject({ error: 'invalid_grant' });
      // What was given for a code that is shown twice has ended, whichever process is asked.
      await expect(insistently(() => oidc.refreshTokenGrant(config, tokens.refresh_token!))).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      await twoOfIdentity();
    }
  });

  it('are refreshed by whichever process is asked, once', async () => {
    const { config } = await connect.anApp();
    const { redeem } = await connect.signIn(config, await someoneKnown());
    const { refresh_token: first } = await redeem();
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => oidc.refreshTokenGrant(config, first!)));
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    await expect(oidc.refreshTokenGrant(config, first!)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});
