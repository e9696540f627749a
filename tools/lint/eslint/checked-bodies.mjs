const isBody = ({ expression }) => expression.callee?.name === 'Body';

/** Bodies whose type is a class alone, or `unknown`: of a union the compiler keeps no class, and nothing is checked. */
export const checkedBodies = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    Identifier(node) {
      const type = node.typeAnnotation?.typeAnnotation;
      if (type?.type === 'TSUnionType' && node.decorators?.some(isBody))
        context.report({ node, message: 'a body of two types is not checked: no body is an empty one' });
    },
  }),
};
