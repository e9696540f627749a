import type { Context, Liquid, Template } from 'liquidjs';
import { storable } from './storable-text.js';

/**
 * Filters that put lists into lists, and one that writes without escaping. A list that holds itself twice, 30 times over, is small in
 * memory and has no end when it is written; nothing interrupts that.
 */
const UNBOUNDED = ['push', 'unshift', 'group_by', 'group_by_exp', 'raw'];
/** Tags that read other templates, which have no meaning here, or write without escaping. */
const UNAVAILABLE = ['include', 'render', 'layout', 'block', 'echo', 'liquid', 'cycle'];

/** What a template has written so far: it counts as memory, like what filters make. */
class CountedText {
  buffer = '';

  constructor(private readonly limit: Context['memoryLimit']) {}

  write(value: unknown): void {
    // A list may hold halves of characters.
    const text = textOf(value).toWellFormed();
    this.limit.use(text.length);
    this.buffer += text;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (typeof value !== 'object' || value instanceof Date) return String(value);
  // Words of the language such as `empty` stand for a value.
  const plain: unknown = value.valueOf();
  return plain === value ? String(value) : textOf(plain);
}

/** Thread CPU time in milliseconds: unlike the clock's, it stands still while a busy machine lets the process wait. */
function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Tags, filters and rounds of loops: a thousand of them take a millisecond, and templates that people write have no thousand. */
const MAX_STEPS = 20_000;

/**
 * The engine's `renderLimit`, of steps, and for steps that are long of the thread's own time: what a document says must not depend on how busy
 * the machine is. Templates that are written one after the other, with nothing in between, share one.
 */
export class TemplateTime {
  /** What is written at this moment shares it. */
  static shared: TemplateTime | undefined;
  private readonly end: number;
  private steps = 0;

  constructor(
    limitMs: number,
    private readonly maxSteps = MAX_STEPS,
  ) {
    this.end = ownTime() + limitMs;
  }

  check(_now?: number, steps = 1): void {
    this.steps += steps;
    if (this.steps > this.maxSteps) throw new Error('template step limit exceeded');
    if (ownTime() > this.end) throw new Error('template render limit exceeded');
  }

  /** Writes a template within what is left. @throws Error where that is not enough */
  share(write: () => unknown): string {
    TemplateTime.shared = this;
    try {
      return String(write());
    } finally {
      TemplateTime.shared = undefined;
    }
  }
}

/** Longer than any text that somebody looks for: finding a text takes up to its length times that of the text it is looked for in. */
const MAX_SOUGHT = 200;
/** Filters that look for the text they are given first. */
const SEEKING = ['split', 'replace', 'replace_first', 'replace_last', 'remove', 'remove_first', 'remove_last'];

/**
 * Placeholders may stand in each other, `a[b[c]]`: finding all that a template reads takes time with the third power of the depth, and
 * nothing interrupts that. How deep they are only the engine knows; so many brackets are harmless however they stand.
 */
const MAX_BRACKETS = 300;

/** @throws Error for more brackets than anybody needs */
function mustBeReadable(template: string): void {
  if (template.split('[').length > MAX_BRACKETS + 1) throw new Error(`more than ${MAX_BRACKETS} opening brackets`);
}

/** Steps of a filter that writes a date: it asks for names of days and months in a language each time. */
const STEPS_OF_DATE = 100;

interface Limits {
  readonly renderLimit: { check(now: number, steps?: number): void };
  readonly memoryLimit: { use(count: number): void };
}
type Step = (...given: unknown[]) => unknown;

const mustBeSought = (text: unknown): void => {
  if (typeof text === 'string' && text.length > MAX_SOUGHT) throw new Error('search text length limit exceeded');
};

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);
const isSteps = (value: unknown): value is Generator =>
  typeof (value as Generator | null)?.next === 'function' && typeof (value as Generator).throw === 'function';

/** The engine looks at the time between tags only, and one tag may have thousands of filters, or one that goes through a whole list. */
function inTime(limits: Limits, work: () => unknown): unknown {
  const check = (): void => limits.renderLimit.check(0);
  check();
  const result = work();
  if (!isSteps(result)) return result;
  return {
    next: (value: unknown) => (check(), result.next(value)),
    throw: (error: unknown) => result.throw(error),
    return: (value: unknown) => result.return(value),
  };
}

/**
 * A filter that is held to the limits; what its text is longer than before counts as memory, which not all of them see to. It may cut a
 * character in two, or make one that cannot be stored.
 */
function boundFilter(name: string, filter: Step): Step {
  return function bound(this: { context: Limits }, value: unknown, ...args: unknown[]) {
    if (SEEKING.includes(name)) mustBeSought(args[0]);
    const { context } = this;
    if (name.startsWith('date')) context.renderLimit.check(0, STEPS_OF_DATE);
    const made = inTime(context, () => filter.call(this, value, ...args));
    const result = typeof made === 'string' ? storable(made) : made;
    context.memoryLimit.use(Math.max(0, lengthOf(result) - lengthOf(value)));
    return result;
  };
}

/** Operators have what they work on, and last the context. */
const boundOperator =
  (name: string, operator: Step): Step =>
  (...given) => {
    if (name === 'contains') mustBeSought(given[1]);
    return inTime(given.at(-1) as Limits, () => operator(...given));
  };

const boundEach = (steps: Record<string, unknown>, bind: (name: string, step: Step) => Step): Record<string, Step> =>
  Object.fromEntries(
    Object.entries(steps).flatMap(([name, step]) =>
      typeof step === 'function' ? [[name, bind(name, step as Step)]] : [],
    ),
  );

/**
 * Templates are tenants' text: whatever one says, it ends within the engine's `memoryLimit` and `renderLimit`, what it writes (also
 * again and again into a variable) included. What cannot be held to that is not there, or not parsed.
 */
export function boundTemplates(engine: Liquid, { maxSteps = MAX_STEPS } = {}): Liquid {
  for (const filter of UNBOUNDED) delete engine.filters[filter];
  for (const tag of UNAVAILABLE) delete engine.tags[tag];
  Object.assign(engine.filters, boundEach(engine.filters, boundFilter));
  Object.assign(engine.options, { operators: boundEach(engine.options.operators, boundOperator) });
  const parse = engine.parse.bind(engine);
  engine.parse = (text, path) => {
    mustBeReadable(text);
    return parse(text, path);
  };
  const { renderer } = engine;
  const render = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (templates: Template[], context, emitter = new CountedText(context.memoryLimit)) => {
    const bound = context as { renderLimit: unknown };
    if (!(bound.renderLimit instanceof TemplateTime))
      bound.renderLimit = TemplateTime.shared ?? new TemplateTime(engine.options.renderLimit, maxSteps);
    // A round of a loop is one, though there is nothing in it.
    (bound.renderLimit as TemplateTime).check();
    return render(templates, context, emitter);
  };
  return engine;
}
