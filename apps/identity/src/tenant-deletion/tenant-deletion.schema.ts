import { erasureReport } from '@kontor/service-kit';
import { type Static, Type } from '@sinclair/typebox';
import type { TenantDeletionRow } from '../db/tenant-deletion.row.js';
import { DELETION_STATUSES, type DeletionStatus } from '../domain/tenant-deletion.js';

const Instant = Type.String({ format: 'date-time' });
const orNull = (description: string) => Type.Union([Instant, Type.Null()], { description });

export const tenantDeletionSchema = Type.Object(
  {
    tenantId: Type.String({ format: 'uuid' }),
    status: Type.Unsafe<DeletionStatus>({
      type: 'string',
      enum: DELETION_STATUSES,
      description:
        '`closing`, `waiting`: it can be taken back; `revoking`: it is; `erasing`: what may go goes; `kept`: the rest has to stay for now; ' +
        '`completed`: nothing is left.',
    }),
    requestedAt: Type.String({ format: 'date-time', description: "When it was asked for, in the tenant's time." }),
    requestedBy: Type.Union(
      [
        Type.Object({
          kind: Type.String({ description: 'user or api_key.' }),
          id: Type.Union([Type.String(), Type.Null()]),
          name: Type.Union([Type.String(), Type.Null()]),
        }),
        Type.Null(),
      ],
      { description: 'Who asked for it.' },
    ),
    eraseAt: Type.String({ format: 'date-time', description: 'Until then it can be taken back.' }),
    erasedAt: orNull('When everything was gone that may go.'),
    completedAt: orNull('When nothing was left.'),
    services: erasureReport('The report, service by service; empty until something is gone.'),
  },
  { $id: 'TenantDeletion' },
);
export type TenantDeletionJson = Static<typeof tenantDeletionSchema>;

export const representDeletion = (row: TenantDeletionRow): TenantDeletionJson => ({
  tenantId: row.tenantId,
  status: row.status,
  requestedAt: row.requestedAt.toISOString(),
  requestedBy: row.requestedBy,
  eraseAt: row.eraseAt.toISOString(),
  erasedAt: row.erasedAt?.toISOString() ?? null,
  completedAt: row.completedAt?.toISOString() ?? null,
  services: row.parts.map(({ service, removed, kept, waiting }) => ({ service, removed, kept, waiting })),
});

export const waitingExample: TenantDeletionJson = {
  tenantId: '0199f000-0000-7000-8000-000000000001',
  status: 'waiting',
  requestedAt: '2026-03-02T09:00:00.000Z',
  requestedBy: { kind: 'user', id: '0199f000-0000-7000-8000-000000000080', name: 'Jo Brandt' },
  eraseAt: '2026-04-01T09:00:00.000Z',
  erasedAt: null,
  completedAt: null,
  services: [],
};

export const keptExample: TenantDeletionJson = {
  ...waitingExample,
  status: 'kept',
  erasedAt: '2026-04-01T09:00:08.000Z',
  services: [
    {
      service: 'invoicing',
      removed: [{ what: 'document_template', count: 4 }],
      kept: [{ what: 'invoice', count: 12, until: '2034-12-31', reason: '§ 147 (1) no. 4, (3) AO, § 14b UStG' }],
      waiting: [],
    },
  ],
};

export const revokingExample: TenantDeletionJson = { ...waitingExample, status: 'revoking' };
