import { boundTemplates, TemplateTime } from './bound-templates.js';
import { Liquid, type Template } from 'liquidjs';

/**
 * Templates are the tenants' text: without files, with limits on time and memory, and with the placeholders' own values only.
 */
const RENDER_MS = 200;
const engine = boundTemplates(
  new Liquid({
    templates: {},
    strictFilters: true,
    strictVariables: false,
    parseLimit: 50_000,
    renderLimit: RENDER_MS,
    memoryLimit: 500_000,
    ownPropertyOnly: true,
  }),
);

const MAX_PARSED = 1000;
const parsed = new Map<string, Template[]>();

/** Why a template is refused, and in which line of it. */
export class TemplateError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** Thousands of documents share a template: it is parsed once. @throws TemplateError */
function parse(text: string): Template[] {
  const known = parsed.get(text);
  if (known) return known;
  const templates = guarded(text, () => engine.parse(text));
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(text, templates);
  return templates;
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

function guarded<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { message = 'The template cannot be read.', token } = error as Error & { token?: { begin?: number } };
    throw new TemplateError(
      message.split('\n', 1)[0]!.replace(/, line:\d+, col:\d+/, ''),
      lineAt(text, token?.begin ?? 0),
    );
  }
}

/** True for a text that is no template at all. */
const isPlain = (text: string): boolean => !text.includes('{{') && !text.includes('{%');

/** A time that all texts of one document share: nobody else has a turn before the last one is written. */
export const timeOfTexts = (): TemplateTime => new TemplateTime(RENDER_MS);

/** @throws TemplateError when it is no template, or takes too long or too much. */
export const renderText = (text: string, model: object, time = timeOfTexts()): string =>
  isPlain(text) ? text : guarded(text, () => time.share(() => engine.renderSync(parse(text), model)));

/** Every placeholder that a template reads, as `customer.name`, with its line. @throws TemplateError */
export function placeholdersOf(text: string): { name: string; line: number }[] {
  if (isPlain(text)) return [];
  const templates = parse(text);
  const found = guarded(text, () => engine.globalFullVariablesSync(templates));
  return found.map((name) => ({ name, line: lineAt(text, Math.max(0, text.indexOf(name))) }));
}
