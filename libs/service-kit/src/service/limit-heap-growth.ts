import { setFlagsFromString } from 'node:v8';

/** How much a heap may grow until it is collected again, in percent of what its last collection left. */
const GROWTH_PERCENT = 50;

/**
 * Has the engine collect when the heap has grown by half. It would wait until it is four times as large, and keeps the pages that it took
 * meanwhile: hundreds of megabytes of garbage beside 130 that are in use. Called once by the main of a process; its threads have it, too.
 */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
