import type { ServiceName } from '@kontor/contracts';

/** One public operation and where it lives. */
export interface Route {
  readonly service: ServiceName;
  /** Null: no token needed. */
  readonly permission: string | null;
  readonly operationId: string;
}

interface Node {
  readonly children: Map<string, Node>;
  parameter: Node | undefined;
  readonly methods: Map<string, Route>;
}

export type Match = { readonly route: Route } | { readonly allowed: readonly string[] } | undefined;

const newNode = (): Node => ({ children: new Map(), parameter: undefined, methods: new Map() });

/**
 * Paths as OpenAPI writes them (`/customers/{id}`), matched segment by segment; a fixed segment is preferred to a parameter.
 */
export class RouteTable {
  private readonly root = newNode();

  add(method: string, path: string, route: Route): void {
    let node = this.root;
    for (const segment of path.split('/').slice(1)) {
      if (segment.startsWith('{')) node = node.parameter ??= newNode();
      else {
        const next = node.children.get(segment) ?? newNode();
        node.children.set(segment, next);
        node = next;
      }
    }
    node.methods.set(method.toUpperCase(), route);
  }

  /** The route; or which methods the path has when this one is not among them; or nothing. */
  match(method: string, path: string): Match {
    const nodes = this.walk(this.root, path.split('/').slice(1), 0);
    if (nodes.length === 0) return undefined;
    for (const node of nodes) {
      const route = node.methods.get(method);
      if (route) return { route };
    }
    return { allowed: [...new Set(nodes.flatMap((node) => [...node.methods.keys()]))].sort() };
  }

  private walk(node: Node, segments: readonly string[], at: number): Node[] {
    const segment = segments[at];
    if (segment === undefined) return node.methods.size > 0 ? [node] : [];
    const fixed = node.children.get(segment);
    return [
      ...(fixed ? this.walk(fixed, segments, at + 1) : []),
      ...(node.parameter && segment !== '' ? this.walk(node.parameter, segments, at + 1) : []),
    ];
  }
}
