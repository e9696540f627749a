import { addDays, atTimeOfDay } from '@kontor/kernel';
import type { InvoiceWorld } from '../invoices/invoice-world.js';

/** Due work that tries a blocked draft again. */
export const BLOCKED_WORK = 'invoicing.blocked';

/** When a blocked draft is tried again if its cause does not change before: the next night's run. */
export const nextRetry = (world: Pick<InvoiceWorld, 'today' | 'tenant'>): Date =>
  atTimeOfDay(addDays(world.today, 1), '03:00', world.tenant.timeZone);
