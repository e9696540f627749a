import { Type } from '@sinclair/typebox';
import type { AuditEntryRow } from '../db/audit-entry.row.js';

const Party = (description: string) =>
  Type.Union(
    [
      Type.Object({
        kind: Type.String({ description: 'user, api_key, role, invitation …' }),
        id: Type.Union([Type.String(), Type.Null()]),
        name: Type.Union([Type.String(), Type.Null()]),
      }),
      Type.Null(),
    ],
    { description },
  );

export const auditEntrySchema = Type.Object(
  {
    number: Type.Integer({ description: 'Place in the log, from 1; none is missing.' }),
    id: Type.String({ format: 'uuid' }),
    type: Type.String({ description: 'What happened.' }),
    at: Type.String({ format: 'date-time' }),
    actor: Party('Who did it; null: the system, or somebody who is not known.'),
    subject: Party('To whom or to what it was done.'),
    address: Type.Union([Type.String(), Type.Null()], { description: 'IP address that it came from.' }),
    userAgent: Type.Union([Type.String(), Type.Null()], { description: 'What the browser or program calls itself.' }),
    metadata: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'More, such as roles before and after.',
    }),
    previousHash: Type.String({ description: 'Hash of the entry before; empty for the first.' }),
    hash: Type.String({ description: 'SHA-256, in hex, of the hash before and of this entry.' }),
  },
  { $id: 'AuditEntry' },
);

export const representAuditEntry = (entry: AuditEntryRow) => ({
  number: Number(entry.number),
  id: entry.id,
  type: entry.type,
  at: entry.at.toISOString(),
  actor: entry.actor,
  subject: entry.subject,
  address: entry.address,
  userAgent: entry.userAgent,
  metadata: entry.metadata,
  previousHash: entry.previousHash.toString('hex'),
  hash: entry.hash.toString('hex'),
});

export const EXAMPLE_ENTRY = {
  number: 17,
  id: '0199f000-0000-7000-8000-000000000091',
  type: 'user.roles_changed',
  at: '2026-03-01T10:00:00.000Z',
  actor: { kind: 'user', id: '0199f000-0000-7000-8000-000000000080', name: 'Jo Brandt' },
  subject: { kind: 'user', id: '0199f000-0000-7000-8000-000000000081', name: 'Ada Berg' },
  address: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  metadata: { before: ['administrator'], after: ['accounting'] },
  previousHash: '0f3c6d1a9b',
  hash: '7be2a84c55',
};
