import { parseArgs } from 'node:util';

/** What the command line gives for these options of `node:util`; ends the program in one line where it gives something else. */
export function readArguments(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
