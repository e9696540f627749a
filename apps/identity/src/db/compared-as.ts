import type { Sql } from '@kontor/kernel';

/** An address as the database compares it, which in a few letters is not what JavaScript makes of it. */
export async function comparedAs(sql: Sql, email: string): Promise<string> {
  const [row] = await sql.query<{ email: string }>('SELECT lower($1) AS email', [email.trim()]);
  return row!.email;
}
