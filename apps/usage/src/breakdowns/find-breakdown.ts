import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import type { BreakdownDocument } from '../domain/breakdown/breakdown-document.js';
import { boundedRead } from '../reads/bounded-read.js';

const TOKEN = /^[\w-]{43}$/;

export interface FoundBreakdown {
  readonly status: 'valid' | 'cancelled';
  readonly document: BreakdownDocument;
}

/** The page that a token opens. Looked up by the token's hash, so that time tells nothing about tokens that exist. */
@Injectable()
export class FindBreakdown {
  constructor(private readonly database: Database) {}

  async execute(token: string): Promise<FoundBreakdown | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const hash = createHash('sha256').update(token).digest('hex');
    const [found] = await this.database.system((sql) => sql.query<{ tenant_id: string; id: string }>('SELECT tenant_id, id FROM usage_breakdown_by_token($1)', [hash])); // prettier-ignore
    if (!found) return undefined;
    const [row] = await boundedRead(this.database, found.tenant_id, (tx) =>
      tx.query<FoundBreakdown>('SELECT status, document FROM usage_breakdown WHERE tenant_id = $1 AND id = $2', [tx.tenantId, found.id]),
    );
    return row;
  }
}
