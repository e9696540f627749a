import { createRequire } from 'node:module';

/**
 * A package that is loaded when it is first asked for, not with the process: it takes part in few of what processes do. Only one that
 * may be required, so that it is there at once. `from` is the `import.meta.url` of whoever depends on it.
 */
export function onDemand<Module>(name: string, from: string): () => Module {
  let loaded: Module | undefined;
  return () => (loaded ??= createRequire(from)(name) as Module);
}
