/** Statements that the formatter leaves alone are for tables in specs. */
export const noPrettierIgnore = {
  meta: { type: 'layout', schema: [] },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments())
        if (/^\s*prettier-ignore/.test(comment.value))
          context.report({ loc: comment.loc, message: 'prettier-ignore is for tables in specs and generated files' });
    },
  }),
};
