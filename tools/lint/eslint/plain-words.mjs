import { bare, firstBanned, identifiers, prose, types, wordsOf } from '../words.mjs';
import { literals } from './literals.mjs';

const say = ([found, instead]) => `"${found}": say ${instead}`;

/** Only where a name is made, so that a foreign one can be used. */
const declared = (list) => ({
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Identifier(node) {
      if (!isDeclaration(node)) return;
      const banned = firstBanned(list, wordsOf(node.name));
      if (banned) context.report({ node, message: say(banned) });
    },
  }),
});

function isDeclaration(node) {
  const { parent } = node;
  switch (parent.type) {
    case 'VariableDeclarator':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumMember':
      return parent.id === node;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ArrayPattern':
    case 'RestElement':
    case 'TSParameterProperty':
    case 'TSFunctionType':
      return true;
    case 'AssignmentPattern':
      return parent.left === node;
    case 'Property':
      return (parent.key === node && !parent.shorthand && !parent.computed) || parent.value === node;
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return parent.key === node && !parent.computed;
    default:
      return false;
  }
}

export const plainNames = declared(identifiers);
export const plainTypes = declared(types);
export const bareNames = declared(bare);

/** `summary` and `description` are published with the API and belong to its version. */
const isPublished = ({ parent }) =>
  parent?.type === 'Property' && /^(summary|description)$/.test(parent.key.name ?? '');

/** `'a' + 'b'` and `['a', 'b'].join(' ')` for either part. */
function outermost(node) {
  const { parent } = node;
  if (parent?.type === 'BinaryExpression') return outermost(parent);
  const call = parent?.type === 'ArrayExpression' && parent.parent?.property?.name === 'join' && parent.parent.parent;
  return call?.type === 'CallExpression' ? outermost(call) : node;
}

/** Comments and texts. */
export const plainProse = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    ...literals((node, text) => {
      const banned = !isPublished(outermost(node)) && firstBanned(prose, text);
      if (banned) context.report({ node, message: say(banned) });
    }),
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const banned = firstBanned(prose, comment.value);
        if (banned) context.report({ loc: comment.loc, message: say(banned) });
      }
    },
  }),
};
