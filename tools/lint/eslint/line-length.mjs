const MAX_COLUMNS = 160;

/** Code, comments and strings alike: a line that nobody can see whole is not read. */
export const lineLength = {
  meta: { type: 'layout', schema: [] },
  create: (context) => ({
    Program() {
      context.sourceCode.lines.forEach((line, index) => {
        const columns = [...line].length;
        if (columns > MAX_COLUMNS)
          context.report({
            loc: { line: index + 1, column: MAX_COLUMNS },
            message: `${columns} columns; at most ${MAX_COLUMNS}`,
          });
      });
    },
  }),
};
