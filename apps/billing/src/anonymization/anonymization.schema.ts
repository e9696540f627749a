import { erasureReport } from '@kontor/service-kit';
import { type Static, Type } from '@sinclair/typebox';
import type { AnonymizationRow } from '../db/anonymization.row.js';
import { Instant, oneOf, orNull, Uuid } from '../schema.js';

export const anonymizationSchema = Type.Object(
  {
    customerId: Uuid,
    status: oneOf(['running', 'completed']),
    requestedAt: Type.String({ format: 'date-time', description: "When it was asked for, in the tenant's time." }),
    completedAt: orNull(Instant),
    services: erasureReport('The report, service by service; a service that was not reached yet is missing.'),
  },
  { $id: 'Anonymization' },
);
export type AnonymizationJson = Static<typeof anonymizationSchema>;

export const representAnonymization = (row: AnonymizationRow): AnonymizationJson => ({
  customerId: row.customerId,
  status: row.completedAt ? 'completed' : 'running',
  requestedAt: row.requestedAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
  services: row.parts.map(({ service, removed, kept, waiting }) => ({ service, removed, kept, waiting })),
});

export const anonymizationExample: AnonymizationJson = {
  customerId: '018f2f1c-0000-7000-8000-000000000001',
  status: 'completed',
  requestedAt: '2026-02-01T09:00:00.000Z',
  completedAt: '2026-02-01T09:00:04.000Z',
  services: [
    {
      service: 'invoicing',
      removed: [{ what: 'events', count: 14 }],
      kept: [{ what: 'invoice', count: 12, until: '2034-12-31', reason: '§ 147 (1) no. 4, (3) AO, § 14b UStG' }],
      waiting: [],
    },
  ],
};
