/** What a validator says about a file; warnings and information do not make it invalid. */
export interface Finding {
  readonly flag: 'fatal' | 'error' | 'warning' | 'information';
  readonly rule: string;
  readonly text: string;
}

/**
 * tools/validators/start.mjs: `cii` and `ubl` are XML, `facturx` is CII by the rules of Factur-X, too; `pdf` is PDF/A-3b by
 * veraPDF, `accessible` PDF/UA-1 by veraPDF, `hybrid` a PDF with its XML by Mustang.
 */
export interface Validators {
  check(kind: 'cii' | 'facturx' | 'ubl' | 'pdf' | 'accessible' | 'hybrid', file: Uint8Array): Promise<Finding[]>;
  stop(): Promise<void>;
}

interface ValidatorsStarter {
  startValidators(): Promise<Validators>;
  validatorsMissing(): Promise<string | null>;
}

const path = new URL('../../../tools/validators/start.mjs', import.meta.url).href;

/** The official validators, in a Java process that the caller ends. */
export const startValidators = async (): Promise<Validators> =>
  ((await import(path)) as ValidatorsStarter).startValidators();

/**
 * Whether they can be had; tests that need them are skipped where not.
 * @throws Error instead of false when `REQUIRE_VALIDATORS=1`.
 */
export async function hasValidators(): Promise<boolean> {
  const missing = await ((await import(path)) as ValidatorsStarter).validatorsMissing();
  if (missing !== null && process.env['REQUIRE_VALIDATORS'] === '1')
    throw new Error(`REQUIRE_VALIDATORS=1, but the validators cannot be had: ${missing}`);
  return missing === null;
}

/** What makes a file invalid. */
export const faultsOf = (findings: readonly Finding[]): string[] =>
  findings.filter(({ flag }) => flag === 'fatal' || flag === 'error').map(({ rule, text }) => `${rule}: ${text}`);
