import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The services' clocks: those of one machine, until they are set to differ. */
export class Clocks {
  private readonly folder = mkdtempSync(join(tmpdir(), 'kontor-clocks-'));

  constructor() {
    this.set({});
  }

  /** Of processes whose clocks are these. */
  get env(): Record<string, string> {
    const preload = pathToFileURL(join(import.meta.dirname, 'skewed-clock.mjs')).href;
    return { CLOCKS: this.file, NODE_OPTIONS: `--import=${preload}` };
  }

  /** How many milliseconds each app's clock is ahead; those that are not named are right. */
  set(aheadMs: Readonly<Record<string, number>>): void {
    // Whoever reads meanwhile reads the whole.
    writeFileSync(`${this.file}.new`, JSON.stringify(aheadMs));
    renameSync(`${this.file}.new`, this.file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get file(): string {
    return join(this.folder, 'ahead.json');
  }
}
