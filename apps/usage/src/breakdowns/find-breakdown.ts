import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { boundedRead } from '../query-support/bounded-read.js';
import { type UsageBreakdownRow, usageBreakdowns } from './usage-breakdown.row.js';

const TOKEN = /^[\w-]{43}$/;

/** The page that a token opens. Looked up by the token's hash, so that response times reveal nothing about tokens that exist. */
@Injectable()
export class FindBreakdown {
  constructor(private readonly database: Database) {}

  async execute(token: string): Promise<UsageBreakdownRow | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const hash = createHash('sha256').update(token).digest('hex');
    const [found] = await this.database.system((sql) =>
      sql.query<{ tenantId: string; id: string }>(
        'SELECT tenant_id AS "tenantId", id FROM usage_breakdown_by_token($1)',
        [hash],
      ),
    );
    if (!found) return undefined;
    const { tenantId, id } = found;
    return (await boundedRead(this.database, tenantId, (tx) => usageBreakdowns.get(tx, id))) ?? undefined;
  }
}
