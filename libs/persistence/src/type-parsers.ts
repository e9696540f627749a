import pg from 'pg';

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;

/**
 * What PostgreSQL's types become in JavaScript, process-wide: int8 → bigint (amounts never pass through a number),
 * timestamptz → Date, date and numeric → string. Called once by importing this library; calling it again changes nothing.
 */
export function installTypeParsers(): void {
  pg.types.setTypeParser(INT8, BigInt);
  pg.types.setTypeParser(DATE, String);
  pg.types.setTypeParser(NUMERIC, String);
  pg.types.setTypeParser(
    TIMESTAMPTZ,
    (text: string) => new Date(/[+-]\d\d$/.test(text) ? `${text.replace(' ', 'T')}:00` : text.replace(' ', 'T')),
  );
}

installTypeParsers();
