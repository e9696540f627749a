import { stop } from './jest-global-setup.js';

/** jest's globalTeardown. */
export default stop;
