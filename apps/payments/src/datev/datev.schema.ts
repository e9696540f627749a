import { type Static, Type } from '@sinclair/typebox';
import { DATEV_CHARTS } from '../domain/datev/accounts.js';

export const DATEV_SETTINGS_SCHEMA = Type.Object(
  {
    consultantNumber: Type.Integer(),
    clientNumber: Type.Integer(),
    chart: Type.Unsafe<string>({ type: 'string', enum: [...DATEV_CHARTS] }),
    accountLength: Type.Integer(),
    fiscalYearStart: Type.String(),
    locked: Type.Boolean(),
    accounts: Type.Record(Type.String(), Type.String(), {
      description:
        'Every account of the ledger with its number, and those for single VAT rates and cases (`revenue_7`, ' +
        '`revenue_reverse_charge`).',
    }),
  },
  { $id: 'DatevSettings' },
);
export type DatevSettingsView = Static<typeof DATEV_SETTINGS_SCHEMA>;
