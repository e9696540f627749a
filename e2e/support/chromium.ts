import { describe, expect } from '@jest/globals';
import { hasChromium } from '@kontor/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Scenarios in a real browser; reported as skipped where there is none, a failure with REQUIRE_CHROMIUM=1. */
export const withBrowser = hasChromium() ? describe : describe.skip;

/** A picture of the page, for people who want to look at it. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Loads a page anew that may be on its way to another one, which a browser refuses meanwhile: for those who ask until it is there. */
export const reload = (page: Page): Promise<unknown> => page.reload().catch(() => undefined);

const NARROW = { width: 360, height: 800 };
const WIDE = { width: 1440, height: 900 };

/** A window with cookies of its own. */
export class BrowserWindow {
  /** Whatever the browser complained of. */
  readonly wrong: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly language: string,
  ) {}

  static async open(browser: Browser, locale: 'de-DE' | 'en-GB' = 'en-GB'): Promise<BrowserWindow> {
    const context = await browser.newContext({ viewport: NARROW, locale });
    const opened = new BrowserWindow(context, await context.newPage(), locale.slice(0, 2));
    opened.page.on('console', (message) => {
      // Pages that say what is wrong are answered with a status that says so.
      const isExpected = /status of 4\d\d/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isExpected) opened.wrong.push(message.text());
    });
    opened.page.on('pageerror', (error) => void opened.wrong.push(error.message));
    return opened;
  }

  /** The page fits a telephone and a desk, is in the language of the browser, and has one heading, which it shows. */
  async look(heading: string, name: string): Promise<void> {
    const { page } = this;
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
    expect([name, await page.locator('html').getAttribute('lang')]).toEqual([name, this.language]);
    for (const viewport of [WIDE, NARROW]) {
      await page.setViewportSize(viewport);
      const fits = await page.evaluate(
        () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      );
      expect([name, viewport.width, fits]).toEqual([name, viewport.width, true]);
      await shot(page, `${name}-${viewport.width}-${this.language}`);
    }
  }

  async press(button: string): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).last().click();
  }

  /** Closes it; nothing may have gone wrong in it. */
  async close(): Promise<void> {
    expect(this.wrong).toEqual([]);
    await this.context.close();
  }
}
