import { onDemand } from '@kontor/kernel';

/** Loaded with the first file: it is 160 modules. */
const library = onDemand<typeof import('xmlbuilder2')>('xmlbuilder2', import.meta.url);

/** An element's content: text, or elements by name; several of a name as a list, attributes as `@name` beside the text `#`. */
export type Content = string | Elements | readonly Elements[];
/** Elements in the order of the file; null is left out. */
export interface Elements {
  readonly [name: string]: Content | null;
}

/** As a file, one line per element. */
export const writeXml = (root: Elements): string =>
  library().create({ version: '1.0', encoding: 'UTF-8' }, root).end({ prettyPrint: true, indent: ' ' });
