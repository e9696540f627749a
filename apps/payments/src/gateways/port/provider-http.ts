import { UnavailableProviders } from './unavailable-providers.js';

/** What a provider answered, whatever its status. */
export interface ProviderAnswer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are whatever the provider says; each adapter reads what it needs
  readonly body: any;
  readonly headers: Headers;
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const TIMEOUT_MS = 20_000;
const unavailable = new UnavailableProviders();

/**
 * The provider did not decide: no answer in time, a failure of its own, too many requests, or credentials that it does
 * not accept. What was asked for may have happened.
 */
export class ProviderUndecided extends Error {
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

/**
 * Asks a provider. @throws ProviderUndecided for everything that is no decision: network, time-out, 401, 403 with no
 * word about the request, 408, 409 of a request still running, 425, 429, 5xx. So it does at once, and asks nothing, for
 * half a minute after several time-outs in a row.
 */
export async function askProvider({ method, url, headers, body }: ProviderRequest): Promise<ProviderAnswer> {
  const { origin } = new URL(url);
  if (unavailable.isUnavailable(origin, performance.now()))
    throw new ProviderUndecided('it does not answer: not asked');
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    const { name } = error as Error;
    if (name === 'TimeoutError') unavailable.timedOut(origin, performance.now());
    throw new ProviderUndecided(`no answer: ${name}`);
  }
  unavailable.answered(origin);
  if (response.status >= 500 || UNDECIDED.has(response.status))
    throw new ProviderUndecided(`answer ${response.status}`, response.status);
  return { status: response.status, body: parse(text), headers: response.headers };
}

const UNDECIDED = new Set([401, 408, 425, 429]);

function parse(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderUndecided('an answer that is no JSON');
  }
}

/** Runs one request per item, a few at a time; whoever has no decision is missing in the result. */
export async function askEach<Item extends { readonly id: string }, Outcome>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Outcome | undefined>,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) {
      try {
        const outcome = await ask(item);
        if (outcome !== undefined) outcomes.set(item.id, outcome);
      } catch (error) {
        if (!(error instanceof ProviderUndecided)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return outcomes;
}

/** `a[b][0]=c`, as Stripe reads it. Values that are undefined are left out. */
export function formEncoded(value: Readonly<Record<string, unknown>>): string {
  const pairs: [string, string][] = [];
  const visit = (prefix: string, item: unknown): void => {
    if (item === undefined || item === null) return;
    if (Array.isArray(item)) item.forEach((item, index) => visit(`${prefix}[${index}]`, item));
    else if (typeof item === 'object')
      for (const [key, other] of Object.entries(item)) visit(prefix ? `${prefix}[${key}]` : key, other);
    else pairs.push([prefix, String(item)]);
  };
  visit('', value);
  return new URLSearchParams(pairs).toString();
}
