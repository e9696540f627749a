import { DomainError, type Violation } from '@kontor/kernel';
import { placeholdersOf, renderText, TemplateError } from '@kontor/kernel/template-sandbox';
import { isPlaceholder, PLACEHOLDERS, type TemplateKind } from './placeholders.js';

/** What a template of a kind is tried with: the placeholders' examples. */
export function exampleModel(kind: TemplateKind): Record<string, unknown> {
  const model: Record<string, unknown> = {};
  for (const { name, example } of PLACEHOLDERS.filter((known) => known.kinds.includes(kind))) {
    const path = name.split('.');
    let place = model;
    for (const part of path.slice(0, -1)) place = (place[part] ??= {}) as Record<string, unknown>;
    const last = path.at(-1)!;
    if (last !== '*') place[last] = example;
  }
  return model;
}

/** @throws DomainError 422 `template_invalid`, with line and placeholder. */
export function checkTemplate(kind: TemplateKind, texts: Readonly<Record<string, string | null>>): void {
  const violations = Object.entries(texts).flatMap(([field, text]) => (text ? faultsOf(kind, field, text) : []));
  if (violations.length === 0) return;
  throw new DomainError('template_invalid', {
    detail: violations.map(({ propertyPath, message }) => `${propertyPath}: ${message}`).join(' '),
    violations,
  });
}

function faultsOf(kind: TemplateKind, field: string, text: string): Violation[] {
  try {
    const unknown = placeholdersOf(text).filter(({ name }) => !isPlaceholder(kind, name));
    if (unknown.length === 0) renderText(text, exampleModel(kind));
    return unknown.map(({ name, line }) => ({
      propertyPath: field,
      message: `Line ${line}: there is no placeholder ${name} for ${kind}.`,
      code: 'unknown_placeholder',
    }));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return [{ propertyPath: field, message: `Line ${error.line}: ${error.message}`, code: 'template_invalid' }];
  }
}
