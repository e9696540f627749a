/** Text that a spreadsheet would run as a formula, also in full-width letters, gets an apostrophe. */
export const defuseText = (text: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text);
