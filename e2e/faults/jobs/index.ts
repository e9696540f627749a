import { bankImport } from './bank-import.js';
import { billingRun } from './billing-run.js';
import { clockAdvance } from './clock-advance.js';
import { finalize } from './finalize.js';
import type { JobKind } from './job.js';
import { topUp } from './top-up.js';
import { usageImport } from './usage-import.js';
import { webhooks } from './webhooks.js';

export const JOBS: readonly JobKind[] = [clockAdvance, billingRun, usageImport, bankImport, webhooks, finalize, topUp];
