import { DomainError, type Violation } from '@kontor/kernel';
import { placeholdersOf, renderText, TemplateError } from '@kontor/kernel/template-sandbox';
import { isSection, type OfferSection } from './sections.js';

interface Written {
  readonly sections: readonly OfferSection[];
  readonly customVariables: Readonly<Record<string, unknown>> | null;
}

/** Of a block; both are Liquid. */
const FIELDS = ['title', 'text'] as const;
/** No text of a request has it. */
const BETWEEN = '\0';

/**
 * The blocks as they read: `{{ seats }}` is the value of that name in `customVariables`. All are written by one call, so that the limits of
 * a template hold for the whole offer.
 * @throws DomainError 422 `template_invalid`, which names block and placeholder
 */
export function writeSections({ sections, customVariables }: Written): readonly OfferSection[] {
  const places = sections.flatMap((section, n) =>
    FIELDS.flatMap((field) => {
      const text = section[field];
      return typeof text === 'string' ? [{ n, field, text }] : [];
    }),
  );
  const values = customVariables ?? {};
  refuse(places.flatMap(({ n, field, text }) => faultsOf(`sections[${n}].${field}`, text, values)));
  const written = writeAll(places.map(({ text }) => text).join(BETWEEN), values).split(BETWEEN);
  if (places.length > 0 && written.length !== places.length)
    refuse([fault('sections', 'A block ends the text of others.')]);
  const shown = sections.map((section): Record<string, unknown> & { type: string } => ({ ...section }));
  for (const [at, { n, field }] of places.entries()) shown[n]![field] = written[at];
  refuse(
    shown.flatMap((section, n) =>
      isSection(section) ? [] : [fault(`sections[${n}]`, 'With its values the block is too long.')],
    ),
  );
  return shown;
}

const fault = (propertyPath: string, message: string, code = 'template_invalid'): Violation => ({
  propertyPath,
  message,
  code,
});

function faultsOf(path: string, text: string, values: object): Violation[] {
  try {
    return placeholdersOf(text)
      .filter(({ name }) => !Object.hasOwn(values, name))
      .map(({ name, line }) =>
        fault(path, `Line ${line}: customVariables has no value ${name}.`, 'unknown_placeholder'),
      );
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return [fault(path, `Line ${error.line}: ${error.message}`)];
  }
}

function writeAll(text: string, values: object): string {
  try {
    return renderText(text, values);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    refuse([fault('sections', error.message)]);
    throw error;
  }
}

/** @throws DomainError where there is anything to refuse */
function refuse(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  throw new DomainError('template_invalid', {
    detail: violations.map(({ propertyPath, message }) => `${propertyPath}: ${message}`).join(' '),
    violations,
  });
}
