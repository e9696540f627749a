/** Text that a spreadsheet would read as a formula gets an apostrophe. */
export const defuseText = (value: string): string => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
