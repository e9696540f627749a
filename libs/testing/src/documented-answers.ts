import { createRequire } from 'node:module';

/** An answer as it came, its body parsed where it is JSON. */
export interface GivenAnswer {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: unknown;
}

interface Operation {
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, unknown>> }>>;
}
type Validate = ((body: unknown) => boolean) & {
  errors?: readonly { instancePath: string; message?: string }[] | null;
};
interface Ajv {
  addSchema(schema: object, key: string): void;
  compile(schema: object): Validate;
}

// The ajv that Fastify brings: the one beside eslint does not know JSON Schema 2020-12, the dialect of OpenAPI 3.1.
const fromFastify = createRequire(createRequire(import.meta.url).resolve('fastify'));
const fromCompiler = createRequire(fromFastify.resolve('@fastify/ajv-compiler'));
const { default: Ajv2020 } = fromCompiler('ajv/dist/2020.js') as { default: new (options: object) => Ajv };
const { default: addFormats } = fromCompiler('ajv-formats') as { default: (ajv: Ajv) => void };

const DOCUMENT = 'openapi';
const pointer = (...parts: string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** Holds answers against an OpenAPI document: the status is declared, and the body is what its schema says. */
export class DocumentedAnswers {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  private readonly routes: readonly {
    pattern: RegExp;
    path: string;
    operations: Readonly<Record<string, Operation>>;
  }[];
  private readonly compiled = new Map<string, Validate>();

  constructor(document: { paths: object; components: object }) {
    addFormats(this.ajv);
    this.ajv.addSchema(document, DOCUMENT);
    this.routes = Object.entries(document.paths as Record<string, Record<string, Operation>>)
      .map(([path, operations]) => ({ path, operations, pattern: patternOf(path) }))
      .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  }

  /** What the document does not say of this answer; empty when all is as it says. */
  differences({ method, path, status, contentType, body }: GivenAnswer): string[] {
    const bare = path.split(/[?#]/, 1)[0]!;
    if (bare.startsWith('/internal/')) return [];
    const route = this.routes.find(
      ({ pattern, operations }) => pattern.test(bare) && method.toLowerCase() in operations,
    );
    const declared = route?.operations[method.toLowerCase()]?.responses[String(status)];
    if (!route || !declared) {
      // Anything may be refused in general: too large, no such path, not now.
      if (status >= 400) return this.against(pointer('components', 'schemas', 'Problem'), body);
      return [route ? `status ${status} is not declared` : 'the operation is not in the document'];
    }
    if (!declared.content) return body === '' ? [] : ['a body where none is declared'];
    // A part of the answer is held against nothing but its status: what is left out is missing.
    if (status < 300 && /[?&]fields=/.test(path)) return [];
    const type = (contentType ?? '').split(';', 1)[0]!.trim();
    if (!(type in declared.content)) return [`content type "${type}" is not declared`];
    if (!/json$/.test(type)) return [];
    const place = ['paths', route.path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'];
    return this.against(pointer(...place), body);
  }

  /** What the document does not say of a delivered event; empty when all is as it says. */
  differencesOfEvent(type: string, body: unknown): string[] {
    return this.against(
      pointer('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'),
      body,
    );
  }

  private against(place: string, body: unknown): string[] {
    let validate = this.compiled.get(place);
    if (!validate) this.compiled.set(place, (validate = this.ajv.compile({ $ref: `${DOCUMENT}#${place}` })));
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`);
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`);

/** @throws Error that names the request and what its answer has that the document does not say. */
export function assertDocumented(answers: DocumentedAnswers, given: GivenAnswer): void {
  const differences = answers.differences(given);
  if (differences.length === 0) return;
  throw new Error(
    `${given.method} ${given.path} answered ${given.status}, not as the OpenAPI document says: ${differences.join('; ')}\n` +
      JSON.stringify(given.body)?.slice(0, 2_000),
  );
}
