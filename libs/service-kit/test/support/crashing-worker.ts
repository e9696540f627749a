/** One table that doubles: where there is no room for it V8 asks nobody. */
const table: Record<string, number> = {};
for (let i = 0; ; i++) table[`a${i}`] = i;
