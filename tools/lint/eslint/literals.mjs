/** Calls `visit(node, text)` for every string and template; `text` has `${…}` in place of what a template inserts. */
export const literals = (visit) => ({
  Literal: (node) => typeof node.value === 'string' && visit(node, node.value),
  TemplateLiteral: (node) => visit(node, node.quasis.map((part) => part.value.raw).join('${…}')),
});

const OPENINGS = [
  'select',
  'insert\\s+into',
  'update\\s+[\\w."]+(?:\\s+\\w+)?\\s+set',
  'delete\\s+from',
  'with\\s+(?:recursive\\s+)?\\w+(?:\\s*\\([^)]*\\))?\\s+as',
  '(?:create|alter|drop)\\s+(?:or\\s+replace\\s+)?(?:unique\\s+)?(?:table|index|function|type|domain|policy|sequence|trigger|role)',
  '(?:grant|revoke|truncate)',
  'lock\\s+table',
];
const STATEMENT = new RegExp(`^\\s*(?:--[^\\n]*\\n\\s*)*(?:${OPENINGS.join('|')})\\b`, 'i');
const PROSE = /^[A-Z][a-z]/;
const PROSE_SELECT = /^\s*select\b(?![\s\S]*(\bfrom\b|\(|\$\d|::|\b\d))/i;

/** A text that is a statement of SQL, by how it begins. */
export const isSql = (text) => STATEMENT.test(text) && !PROSE.test(text) && !PROSE_SELECT.test(text);
