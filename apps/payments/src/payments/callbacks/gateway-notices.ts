import { Table } from '../../db/table.js';
import type { GatewayNotice } from '../gateway/payment-gateway.js';

/** Something that a provider told by itself, as stored. */
export interface StoredNotice {
  readonly id: string;
  readonly gatewayName: string;
  /** The provider's id: the same event is taken once. */
  readonly eventId: string;
  readonly notice: GatewayNotice;
  /** What it led to; null until it was acted on. */
  result: string | null;
  readonly receivedAt: Date;
  processedAt: Date | null;
}

export const notices = new Table<StoredNotice>(
  'gateway_notice',
  {
    id: 'uuid',
    gatewayName: 'text',
    eventId: 'text',
    notice: 'jsonb',
    result: 'text',
    receivedAt: 'timestamptz',
    processedAt: 'timestamptz',
  },
  ['result', 'processedAt'],
);
