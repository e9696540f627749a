import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** What schemathesis found at one answer. */
export interface Finding {
  readonly phase: string;
  readonly check: string;
  /** `POST /customers`. */
  readonly operation: string;
  readonly status: number;
  readonly reason: string | null;
  readonly violations: readonly { readonly propertyPath: string; readonly code: string; readonly message: string }[];
  /** For people: what was sent, what was wrong. */
  readonly story: string;
}

export interface Report {
  readonly findings: readonly Finding[];
  /** Requests without an answer, operations that could not be tried. */
  readonly errors: readonly string[];
  /** Answers by phase. */
  readonly answers: ReadonlyMap<string, number>;
  /** Operations that answered with a success. */
  readonly succeeded: ReadonlySet<string>;
}

interface Recorded {
  readonly label: string;
  readonly cases: Record<string, { value: { method: string; path: string } }>;
  readonly checks?: Record<
    string,
    { name: string; status: string; failure_info?: { failure?: { message?: string } } }[]
  >;
  readonly interactions?: Record<
    string,
    {
      request: { method: string; uri: string; body?: unknown };
      response: { status_code: number; content: unknown } | null;
    }
  >;
}

/** Reads the events that schemathesis wrote, a line each. */
export async function readReport(path: string): Promise<Report> {
  const findings: Finding[] = [];
  const errors: string[] = [];
  const answers = new Map<string, number>();
  const succeeded = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (/^\{"(NonFatal|Fatal)Error"/.test(line)) errors.push(line.slice(0, 1_000));
    if (!line.startsWith('{"ScenarioFinished"')) continue;
    const { phase, recorder } = (JSON.parse(line) as { ScenarioFinished: { phase: string; recorder: Recorded } })
      .ScenarioFinished;
    for (const [id, { request, response }] of Object.entries(recorder.interactions ?? {})) {
      const made = recorder.cases[id]?.value;
      if (!response || !made) continue;
      const operation = `${made.method.toUpperCase()} ${made.path}`;
      answers.set(phase, (answers.get(phase) ?? 0) + 1);
      if (response.status_code < 300) succeeded.add(operation);
      for (const check of recorder.checks?.[id] ?? []) {
        if (check.status !== 'failure') continue;
        const body = textOf(response.content);
        const problem = problemOf(body);
        findings.push({
          phase,
          check: check.name,
          operation,
          status: response.status_code,
          reason: problem.reason ?? null,
          violations: problem.violations ?? [],
          story: [
            `${check.name}: ${check.failure_info?.failure?.message ?? ''}`,
            `${request.method} ${request.uri}`,
            textOf(request.body).slice(0, 2_000),
            `${response.status_code} ${body.slice(0, 500)}`,
          ].join('\n'),
        });
      }
    }
  }
  return { findings, errors, answers, succeeded };
}

function textOf(content: unknown): string {
  const encoded = (content as { $base64?: string } | null | undefined)?.$base64;
  return encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
}

function problemOf(body: string): { reason?: string; violations?: Finding['violations'] } {
  try {
    return (JSON.parse(body) as { reason?: string; violations?: Finding['violations'] } | null) ?? {};
  } catch {
    return {};
  }
}
