import { Type } from '@sinclair/typebox';

// Parts of answers that several schemas share.
export const id = Type.String({ format: 'uuid' });
export const instant = Type.String({ format: 'date-time' });
export const day = Type.String({ format: 'date' });
export const money = Type.Object({ amount: Type.Integer(), currencyCode: Type.String() });

interface Kinds {
  string: string;
  integer: number;
}

export const nullable = <K extends keyof Kinds>(type: K, more: object = {}) =>
  Type.Unsafe<Kinds[K] | null>({ type: [type, 'null'], ...more });
