/** What one HTTP attempt came to. */
export interface AttemptResult {
  readonly at: Date;
  readonly responseStatus: number | null;
  readonly durationMs: number;
  /** Why it counts as failed; null for success. */
  readonly error: string | null;
}

export type Verdict = 'delivered' | 'failed' | 'gone';

/** 2xx is success; 410 means that the receiver is gone for good; a redirect is a failure like any other answer. */
export function verdictOf(result: Pick<AttemptResult, 'responseStatus' | 'error'>): Verdict {
  if (result.error === null) return 'delivered';
  return result.responseStatus === 410 ? 'gone' : 'failed';
}

/** Null for success, else what is shown as the attempt's error. */
export function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
}
