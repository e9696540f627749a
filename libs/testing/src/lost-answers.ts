type Query = (sql: string) => Promise<unknown>;

const BEGIN = `
CREATE FUNCTION lose_last_answer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.final THEN RETURN NEW; END IF;
  UPDATE idempotency SET process = NULL
  WHERE tenant_id = NEW.tenant_id AND operation = NEW.operation AND key = NEW.key AND NOT final;
  RETURN NULL;
END $$;
CREATE TRIGGER lose_last_answer BEFORE INSERT ON idempotency FOR EACH ROW EXECUTE FUNCTION lose_last_answer()`;

/**
 * Does something while a service's database keeps no last answer of an Idempotency-Key: as after a crash, a repeat finds what the first
 * transaction has stored, and nobody who works on it.
 */
export async function whileAnswersGetLost<T>(query: Query, work: () => Promise<T>): Promise<T> {
  await query(BEGIN);
  try {
    return await work();
  } finally {
    await query('DROP TRIGGER lose_last_answer ON idempotency; DROP FUNCTION lose_last_answer()');
  }
}
