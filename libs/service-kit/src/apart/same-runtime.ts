const fromSource = import.meta.url.endsWith('.ts');

/** Of the modules that run: built ones, or in tests the TypeScript sources. */
export const MODULE_EXTENSION = fromSource ? 'ts' : 'js';

/** Node's options for threads and processes that are to run what this process runs. */
export const SAME_RUNTIME: readonly string[] = fromSource
  ? [
      '--conditions=@kontor/source',
      '--experimental-transform-types',
      '--no-warnings',
      '--import',
      new URL('./run-from-source.mjs', import.meta.url).href,
    ]
  : [];
