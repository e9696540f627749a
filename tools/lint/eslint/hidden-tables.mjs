import { literals } from './literals.mjs';

const HIDDEN = /(?<![\w/-])(replica|due_work|tenant_clock)(?![\w./-])/;
const QUERY = /\b(select|insert|update|delete|from|join|into|alter|create|drop|grant|references|lock)\b/i;

/** Tables of @kontor/persistence that a service uses through its functions alone. */
export const hiddenTables = {
  meta: { type: 'problem', schema: [] },
  create: (context) =>
    literals((node, text) => {
      const table = HIDDEN.exec(text)?.[1];
      if (table && QUERY.test(text))
        context.report({ node, message: `table ${table} belongs to @kontor/persistence: use what it offers` });
    }),
};
