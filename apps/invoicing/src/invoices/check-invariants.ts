import type { FileInvariant, Invariant } from '@kontor/service-kit';

/** What the service promises about a tenant's documents. */
export const INVARIANTS: readonly Invariant[] = [
  {
    rule: 'a total is the sum of its positions',
    sql: `SELECT i.id::text AS what
          FROM invoice i
          LEFT JOIN (
            SELECT invoice_id, sum(net_minor - discount_minor) AS net, sum(tax_minor) AS tax,
                   sum(discount_minor) AS discount
            FROM invoice_position
            WHERE tenant_id = $1
            GROUP BY invoice_id) p ON p.invoice_id = i.id
          WHERE i.tenant_id = $1
            AND (i.net_minor <> coalesce(p.net, 0) OR i.tax_minor <> coalesce(p.tax, 0)
              OR i.discount_minor <> coalesce(p.discount, 0) OR i.gross_minor <> coalesce(p.net + p.tax, 0))`,
  },
  {
    rule: 'numbers have no gap and no duplicate: the documents of a series carry 1 to the last number',
    sql: `WITH series AS (
            SELECT series, year, next - 1 AS last_number,
                   split_part(replace(series, '{year}', year::text), '{seq}', 1) AS prefix,
                   split_part(replace(series, '{year}', year::text), '{seq}', 2) AS suffix
            FROM number_series
            WHERE tenant_id = $1),
          used AS (
            SELECT s.series, s.year,
                   substr(i.number, length(s.prefix) + 1,
                     length(i.number) - length(s.prefix) - length(s.suffix)) AS digits
            FROM series s
            JOIN (
              SELECT number FROM invoice WHERE tenant_id = $1 AND number IS NOT NULL AND NOT imported
              UNION ALL SELECT number FROM erased_document WHERE tenant_id = $1) i ON length(i.number) > length(s.prefix) + length(s.suffix)
              AND left(i.number, length(s.prefix)) = s.prefix
              AND right(i.number, length(s.suffix)) = s.suffix)
          SELECT s.series || ' ' || s.year || ': '
                   || s.last_number || ' assigned, ' || count(u.digits) || ' used' AS what
          FROM series s
          LEFT JOIN used u ON u.series = s.series AND u.year = s.year AND u.digits ~ '^[0-9]{1,18}$'
          GROUP BY s.series, s.year, s.last_number
          HAVING count(u.digits) <> s.last_number
            OR count(DISTINCT u.digits::bigint) <> s.last_number
            OR coalesce(max(u.digits::bigint), 0) <> s.last_number`,
  },
  {
    rule: 'every number is of a series',
    sql: `SELECT assigned || ' assigned, ' || used || ' used' AS what
          FROM (
            SELECT (SELECT coalesce(sum(next - 1), 0) FROM number_series WHERE tenant_id = $1) AS assigned,
                   (SELECT count(*) FROM invoice WHERE tenant_id = $1 AND number IS NOT NULL AND NOT imported)
                     + (SELECT count(*) FROM erased_document WHERE tenant_id = $1) AS used) s
          WHERE assigned <> used`,
  },
  {
    rule: 'a finalized document has its number, snapshot and file',
    sql: `SELECT i.id::text AS what
          FROM invoice i
          LEFT JOIN document_snapshot s ON s.tenant_id = $1 AND s.invoice_id = i.id
          LEFT JOIN media m ON m.tenant_id = $1 AND m.id = i.media_id
          WHERE i.tenant_id = $1 AND i.finalized_at IS NOT NULL
            AND (i.number IS NULL OR m.id IS NULL OR s.invoice_id IS NULL)`,
  },
  {
    rule: 'an e-invoice has its file, and no other document has one',
    sql: `SELECT i.id::text AS what
          FROM invoice i
          LEFT JOIN media m ON m.tenant_id = $1 AND m.invoice_id = i.id AND m.kind = 'xml'
          WHERE i.tenant_id = $1 AND i.finalized_at IS NOT NULL
            AND ((i.e_invoice_type IS NULL) <> (m.id IS NULL) OR m.id IS DISTINCT FROM i.xml_media_id)`,
  },
  {
    rule: 'a finalized document was published',
    sql: `SELECT i.id::text AS what
          FROM invoice i
          LEFT JOIN (
            SELECT DISTINCT invoice_id FROM invoice_history
            WHERE tenant_id = $1 AND type IN ('invoice.finalized', 'dunning_document.created')) h ON h.invoice_id = i.id
          LEFT JOIN (SELECT DISTINCT aggregate_id FROM outbox WHERE tenant_id = $1) o ON o.aggregate_id = i.id::text
          WHERE i.tenant_id = $1 AND i.finalized_at IS NOT NULL
            AND (i.status <> 'STATUS_FINALIZING' AND h.invoice_id IS NULL
              OR i.created_at > now() - interval '29 days' AND o.aggregate_id IS NULL)`,
  },
  {
    rule: 'a document is paid when nothing is open, and only then',
    sql: `SELECT number || ' is ' || status || ' with ' || unpaid_minor AS what
          FROM invoice
          WHERE tenant_id = $1
            AND (status = 'STATUS_UNPAID' AND sign(unpaid_minor) <> sign(gross_minor)
              OR status = 'STATUS_PAID' AND unpaid_minor <> 0 AND sign(unpaid_minor) = sign(gross_minor))`,
  },
  {
    // Where time is real; a sandbox clock may stand anywhere.
    rule: 'the payment intent of a document exists within ten minutes',
    sql: `SELECT number AS what
          FROM invoice
          WHERE tenant_id = $1 AND status = 'STATUS_FINALIZING' AND NOT pdf_awaited
            AND finalized_at < now() - interval '10 minutes'
            AND tenant_frozen_at($1) IS NULL`,
  },
  {
    rule: 'a document whose PDF is awaited knows what to do when it comes, and no other document does',
    sql: `SELECT coalesce(i.id, a.invoice_id)::text AS what
          FROM (SELECT id FROM invoice WHERE tenant_id = $1 AND pdf_awaited) i
          FULL JOIN (SELECT invoice_id FROM awaited_pdf WHERE tenant_id = $1) a ON a.invoice_id = i.id
          WHERE i.id IS NULL OR a.invoice_id IS NULL`,
  },
  {
    rule: 'a snapshot is what was finalized: its hash is that of its text',
    sql: `SELECT invoice_id::text AS what
          FROM document_snapshot
          WHERE tenant_id = $1 AND sha256 <> encode(sha256(convert_to(snapshot::text, 'UTF8')), 'hex')`,
    thorough: true,
  },
  {
    rule: 'an invoice and what takes it back are never less than nothing',
    // What a later invoice added to a charge (usage that came late) can be credited, too: the next rule is about that. And
    // what an invoice itself credits of earlier ones lowers what it comes to, not what its charges can be credited.
    sql: `WITH added AS (
            SELECT p.original_charge_id AS id
            FROM invoice_position p
            JOIN invoice a ON a.tenant_id = $1 AND a.id = p.invoice_id AND a.type = 'TYPE_INVOICE'
            WHERE p.tenant_id = $1 AND p.original_charge_id IS NOT NULL AND p.net_minor > 0),
          crediting AS (
            SELECT p.invoice_id, sum(p.gross_minor) AS gross
            FROM invoice_position p
            WHERE p.tenant_id = $1 AND p.original_charge_id IS NOT NULL AND p.gross_minor < 0
            GROUP BY p.invoice_id)
          SELECT i.number || ': ' || i.gross_minor || ' with ' || sum(c.gross_minor) AS what
          FROM invoice i
          JOIN invoice c ON c.tenant_id = $1 AND c.referenced_invoice_id = i.id AND c.currency_code = i.currency_code
            AND c.type IN ('TYPE_CREDIT', 'TYPE_CANCEL') AND c.status <> 'STATUS_CANCELLED'
          LEFT JOIN crediting ON crediting.invoice_id = i.id
          WHERE i.tenant_id = $1 AND i.type = 'TYPE_INVOICE'
            AND NOT EXISTS (
              SELECT FROM invoice_position p JOIN added ON added.id = p.original_charge_id
              WHERE p.tenant_id = $1 AND p.invoice_id = c.id)
          GROUP BY i.id, i.number, i.gross_minor, i.status, crediting.gross
          HAVING i.gross_minor + sum(c.gross_minor) < coalesce(crediting.gross, 0)`,
  },
  {
    rule: 'what credits a position, by hand or by itself, is never more than the position',
    sql: `WITH lines AS (
            SELECT p.id, p.charge_id, p.original_charge_id, i.number, i.currency_code,
                   CASE WHEN i.status <> 'STATUS_CANCELLED' THEN p.corrected_position_id END AS corrected_position_id,
                   p.net_minor - p.discount_minor AS net
            FROM invoice_position p
            JOIN invoice i ON i.tenant_id = $1 AND i.id = p.invoice_id AND i.number IS NOT NULL
            WHERE p.tenant_id = $1),
          of_charges AS (
            SELECT original_charge_id AS id, currency_code, sum(net) AS net
            FROM lines
            WHERE original_charge_id IS NOT NULL
            GROUP BY original_charge_id, currency_code),
          of_positions AS (
            SELECT corrected_position_id AS id, sum(net) AS net
            FROM lines
            WHERE corrected_position_id IS NOT NULL
            GROUP BY corrected_position_id)
          SELECT o.number || ' ' || o.id || ': ' || o.net || ' with ' || c.net AS what
          FROM lines o
          JOIN of_charges c ON c.id = o.charge_id AND c.currency_code = o.currency_code
          WHERE sign(o.net + c.net) = -sign(o.net) AND o.net <> 0
          UNION ALL
          SELECT o.number || ' ' || o.id || ': ' || o.net || ' with ' || c.net
          FROM lines o
          JOIN of_positions c ON c.id = o.id
          WHERE sign(o.net + c.net) = -sign(o.net) AND o.net <> 0`,
  },
];

/** What it promises about their files. */
export const FILE_INVARIANTS: readonly FileInvariant[] = [
  {
    rule: 'a file is what was stored: its hash is its key',
    filesSql: `SELECT i.number || ' ' || m.file_name AS what, m.blob_key AS key, m.id AS place
               FROM media m
               JOIN invoice i ON i.tenant_id = $1 AND i.id = m.invoice_id
               WHERE m.tenant_id = $1 AND m.id > $2 AND m.blob_key IS NOT NULL
               ORDER BY m.id
               LIMIT 500`,
  },
];
