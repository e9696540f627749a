import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Prometheus' text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** One service's Prometheus metrics, shown at `/internal/metrics`. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Histogram<'method' | 'route' | 'status'>;

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    this.requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request to its answer, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers: [this.registry],
    });
  }

  /** The metrics of several services as one text. */
  static async together(metrics: readonly Metrics[]): Promise<string> {
    const [only] = metrics;
    if (only && metrics.length === 1) return only.registry.metrics();
    const each = await Promise.all(metrics.map(({ registry }) => registry.getMetricsAsJSON()));
    return AggregatorRegistry.aggregate(each).metrics();
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status: String(status) }, seconds);
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** `collect` is asked at each scrape. Null: it is not known, and there is no value, which is not the same as 0. */
  gauge(name: string, help: string, collect: () => number | null | Promise<number | null>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        const value = await collect();
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }

  /** Memory, event loop, garbage collection: of the whole process, so once per process. */
  withProcessMetrics(): this {
    collectDefaultMetrics({ register: this.registry });
    return this;
  }
}
