const WAIT = /until|deadline|givesUpAt|^(end|begun|last|at)$/i;
const STEPS = new Set(['BinaryExpression', 'LogicalExpression', 'UnaryExpression']);

const nameOf = (node) => {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type === 'MemberExpression') return nameOf(node.property) || nameOf(node.object);
  return '';
};

/** Time passed since a moment that was noted as a number, such as `Date.now() - this.refreshedAt`. */
const isSpan = ({ type, operator, left }) =>
  type === 'BinaryExpression' && operator === '-' && left.type === 'CallExpression' && nameOf(left.callee) === 'now';

/** Where the value of an expression goes, such as `deadline` in `const deadline = Date.now() + 500`. */
function targetOf(node) {
  const { parent } = node;
  if (parent.type === 'VariableDeclarator') return nameOf(parent.id);
  if (parent.type === 'AssignmentExpression') return nameOf(parent.left);
  if (parent.type === 'Property' || parent.type === 'PropertyDefinition') return nameOf(parent.key);
  if (parent.type === 'CallExpression' && nameOf(parent.callee) === 'set') return nameOf(parent.callee.object);
  return '';
}

const isTestOfLoop = ({ parent }, node) => /^(For|While|DoWhile)Statement$/.test(parent.type) && parent.test === node;

/** Waits and pauses of a process are measured with `performance.now()`: a clock that is set back would make them as much longer. */
export const monotonicWaits = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    "CallExpression[callee.object.name='Date'][callee.property.name='now']": (call) => {
      let node = call;
      let isWait = false;
      while (STEPS.has(node.parent.type)) {
        node = node.parent;
        isWait ||= isSpan(node) && nameOf(node.right) !== 'getTime' && node.right.type === 'MemberExpression';
      }
      if (isWait || isTestOfLoop(node, node) || WAIT.test(targetOf(node)))
        context.report({ node: call, message: 'measure waits with performance.now(): the clock may be set back' });
    },
  }),
};
