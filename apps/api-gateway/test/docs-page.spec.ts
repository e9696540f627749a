import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasChromium, launchChromium } from '@kontor/testing';
import type { Browser } from 'playwright-core';
import { type RunningGateway, startGateway } from '../src/index.js';
import { FakeServices, SECRET } from './fake-services.js';

const withBrowser = hasChromium() ? describe : describe.skip;
const ENOUGH = {
  live: 1e6,
  liveUsage: 1e6,
  sandbox: 1e6,
  sandboxUsage: 1e6,
  anonymous: 1e6,
  logins: 1e6,
  signIns: 1e6,
  orders: 1e6,
  callbacks: 1e6,
};

let fakes: FakeServices;
let gateway: RunningGateway;
beforeAll(async () => {
  fakes = await FakeServices.start();
  const door = { host: '127.0.0.1', port: 0, services: fakes.directory, internalSecret: SECRET };
  gateway = await startGateway({ ...door, rateLimits: ENOUGH, logLevel: 'silent' });
  await gateway.ready();
});
afterAll(async () => {
  await gateway.stop();
  await fakes.stop();
});

it("the documentation is in nobody's frame, and runs its own scripts alone", async () => {
  const answer = await fetch(`${gateway.url}/docs`);
  const policy = answer.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const [, script] = /<script>([^]*?)<\/script>/.exec(await answer.text())!;
  const hash = createHash('sha256').update(script!).digest('base64');
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
});

withBrowser('the documentation in a browser', () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launchChromium()));
  afterAll(() => browser.close());

  it('shows the operations, and breaks no rule of its own', async () => {
    const page = await browser.newPage();
    const wrong: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())));
    page.on('pageerror', (error) => void wrong.push(error.message));
    await page.goto(`${gateway.url}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
    expect(wrong).toEqual([]);
  });
});
