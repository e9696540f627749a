import type { Context, Liquid, Template } from 'liquidjs';

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
    const text = textOf(value);
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

/** The engine's `renderLimit`, of the thread's own time: what a document says must not depend on how busy the machine is. */
class OwnTimeLimit {
  private readonly end: number;

  constructor(limitMs: number) {
    this.end = ownTime() + limitMs;
  }

  check(): void {
    if (ownTime() > this.end) throw new Error('template render limit exceeded');
  }
}

/**
 * Templates are tenants' text: whatever one says, it ends within the engine's `memoryLimit` and `renderLimit`, what it writes (also
 * again and again into a variable) included. What cannot be held to that is not there.
 */
export function boundTemplates(engine: Liquid): Liquid {
  for (const filter of UNBOUNDED) delete engine.filters[filter];
  for (const tag of UNAVAILABLE) delete engine.tags[tag];
  const { renderer } = engine;
  const render = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (templates: Template[], context, emitter = new CountedText(context.memoryLimit)) => {
    const bound = context as { renderLimit: unknown };
    if (!(bound.renderLimit instanceof OwnTimeLimit)) bound.renderLimit = new OwnTimeLimit(engine.options.renderLimit);
    return render(templates, context, emitter);
  };
  return engine;
}
