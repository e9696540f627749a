import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DomainError } from '@kontor/kernel';
import { MODULE_EXTENSION, SAME_RUNTIME, Turns } from '@kontor/service-kit';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import type { Paper } from './lay-out-paper.js';
import type { RenderedDocument } from './render.js';
import type { RenderAnswer, RenderJob } from './render-worker.js';

interface Waiting {
  readonly job: RenderJob;
  readonly limitMs: number;
  readonly resolve: (files: RenderedDocument) => void;
  readonly reject: (error: Error) => void;
}

interface Crew {
  readonly worker: Worker;
  current: Waiting | undefined;
  timer: NodeJS.Timeout | undefined;
}

const JOB_LIMIT_MS = 30_000;
const IDLE_LIMIT_MS = 60_000;
const SIZE = Math.max(1, Math.min(2, availableParallelism() - 1));

/** By tenant. */
const queue = new Turns<Waiting>();
let crews: Crew[] = [];
let lastId = 0;

/** The PDF of a document alone; see {@link renderFiles}. */
export const renderDocument = async (tenantId: string, snapshot: DocumentSnapshot): Promise<Uint8Array> =>
  (await renderFiles(tenantId, snapshot)).pdf;

/**
 * The PDF of a document and its e-invoice, made in a worker thread so that requests and consumers go on meanwhile; the tenants take turns.
 * Threads start with the first document and end when there was none for a minute; they never keep the process alive while idle.
 * @throws Error when the document cannot be rendered (a bug)
 * @throws DomainError 503 `service_unavailable` when it took longer than 30 s (`limitMs`), or the process stops
 */
export const renderFiles = (
  tenantId: string,
  snapshot: DocumentSnapshot,
  limitMs?: number,
): Promise<RenderedDocument> => render(tenantId, snapshot, limitMs);

/** A letter of another service, made in a worker thread, too. */
export const renderPaper = async (tenantId: string, paper: Paper): Promise<Uint8Array> =>
  (await render(tenantId, paper)).pdf;

const render = (tenantId: string, work: DocumentSnapshot | Paper, limitMs = JOB_LIMIT_MS): Promise<RenderedDocument> =>
  new Promise((resolve, reject) => {
    queue.add(tenantId, { job: { id: ++lastId, work }, limitMs, resolve, reject });
    assign();
  });

/** Ends the threads; documents that are not finished are refused. Called on shutdown. */
export async function stopRendering(): Promise<void> {
  for (let waiting; (waiting = queue.next());) waiting.item.reject(stopped());
  await Promise.all(crews.map((crew) => dismiss(crew, stopped())));
}

const notNow = (detail: string): DomainError =>
  new DomainError('service_unavailable', { kind: 'unavailable', detail, retryAfterSeconds: 5 });
const stopped = (): DomainError => notNow('Rendering was stopped; try again.');

function assign(): void {
  while (!queue.isEmpty) {
    const crew = crews.find((candidate) => !candidate.current) ?? (crews.length < SIZE ? hire() : undefined);
    const waiting = crew && queue.next()?.item;
    if (!waiting) return;
    clearTimeout(crew.timer);
    crew.current = waiting;
    crew.worker.ref();
    crew.timer = setTimeout(
      () => void dismiss(crew, notNow(`Rendering took longer than ${waiting.limitMs / 1000} s; try again.`)),
      waiting.limitMs,
    );
    crew.worker.postMessage(waiting.job);
  }
}

function hire(): Crew {
  const worker = new Worker(new URL(`./render-worker.${MODULE_EXTENSION}`, import.meta.url), {
    execArgv: [...SAME_RUNTIME],
  });
  const crew: Crew = { worker, current: undefined, timer: undefined };
  worker.on('message', (answer: RenderAnswer) => settle(crew, answer));
  worker.on('error', (error: Error) => void dismiss(crew, error));
  worker.on('exit', (code) => void dismiss(crew, new Error(`the render thread ended with code ${code}`)));
  crews.push(crew);
  return crew;
}

function settle(crew: Crew, answer: RenderAnswer): void {
  const waiting = crew.current;
  if (waiting?.job.id !== answer.id) return;
  clearTimeout(crew.timer);
  crew.current = undefined;
  crew.worker.unref();
  crew.timer = setTimeout(() => void dismiss(crew, new Error('idle')), IDLE_LIMIT_MS).unref();
  if ('files' in answer) waiting.resolve(answer.files);
  else waiting.reject(new Error(answer.error));
  assign();
}

async function dismiss(crew: Crew, reason: Error): Promise<void> {
  if (!crews.includes(crew)) return;
  crews = crews.filter((other) => other !== crew);
  clearTimeout(crew.timer);
  crew.current?.reject(reason);
  crew.current = undefined;
  await crew.worker.terminate();
  assign();
}
