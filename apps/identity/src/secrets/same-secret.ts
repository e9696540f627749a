import { timingSafeEqual } from 'node:crypto';
import { digestOf } from './digest.js';

/** Whether somebody has shown a secret, whatever else it may be: in a time that does not tell how much of it is right. */
export const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(expected));
