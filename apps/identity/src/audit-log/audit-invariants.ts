import type { Invariant } from '@kontor/service-kit';

/** What the audit log promises: no gap, no entry that is another than was written, none taken out. */
export const auditInvariants: readonly Invariant[] = [
  {
    rule: 'the audit log is whole: every entry has its number, its hash and that of the one before',
    sql: `SELECT 'entry ' || e.number AS what
      FROM (
        SELECT a AS entry, a.number, a.hash, a.previous_hash,
          lag(a.number, 1, 0) OVER w AS last_number, lag(a.hash, 1, '\\x'::bytea) OVER w AS last_hash
        FROM audit_entry a WHERE a.tenant_id = $1 WINDOW w AS (ORDER BY a.number)
      ) e
      WHERE e.number <> e.last_number + 1 OR e.previous_hash <> e.last_hash OR e.hash <> audit_entry_hash(e.entry)`,
  },
];
