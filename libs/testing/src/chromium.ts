import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const CHROMIUM = PLACES.find((path) => existsSync(path));

/**
 * Whether there is a real browser; tests that need one are skipped where not.
 * @throws Error instead of false when `REQUIRE_CHROMIUM=1`.
 */
export function hasChromium(): boolean {
  if (!CHROMIUM && process.env['REQUIRE_CHROMIUM'] === '1')
    throw new Error(`REQUIRE_CHROMIUM=1, but there is no browser at ${PLACES.join(', ')}`);
  return CHROMIUM !== undefined;
}

/** A browser, which the caller closes. */
export async function launchChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
}
