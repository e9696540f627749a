import { isSql, literals } from './literals.mjs';

const MAX_COLUMNS = 149;
const LOWER =
  /\b(select|insert\s+into|delete\s+from|update\s+[\w."]+\s+set|from|where|(group|order)\s+by|join|values|returning|on\s+conflict|limit)\b/;
const withoutQuoted = (sql) => sql.replace(/--[^\n]*|'(?:[^']|'')*'|"[^"]*"/g, '');

/** Keywords in capitals, statements broken over lines. */
export const sqlStyle = {
  meta: { type: 'layout', schema: [] },
  create: (context) =>
    literals((node, text) => {
      if (!isSql(text)) return;
      const lower = LOWER.exec(withoutQuoted(text))?.[0];
      if (lower) context.report({ node, message: `SQL keywords in capitals: ${lower.toUpperCase()}` });
      if (text.split('\n').some((line) => line.length > MAX_COLUMNS))
        context.report({ node, message: `a line of SQL has at most ${MAX_COLUMNS} columns: break the statement` });
    }),
};
