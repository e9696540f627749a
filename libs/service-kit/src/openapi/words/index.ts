import { BUSINESS } from './business.js';
import { CATALOGUE } from './catalogue.js';
import { CHECKOUT } from './checkout.js';
import { CUSTOMERS } from './customers.js';
import { DOCUMENTS } from './documents.js';
import { GENERAL } from './general.js';
import { IDENTITY } from './identity.js';
import { PAYMENTS } from './payments.js';
import { SELLING } from './selling.js';
import { USAGE } from './usage.js';
import type { Words } from './word.js';

/** What properties mean, for all of them that say nothing themselves. @see docs/rules/api.md#the-document */
export const WORDS: Words = {
  ...BUSINESS,
  ...CHECKOUT,
  ...IDENTITY,
  ...GENERAL,
  ...CUSTOMERS,
  ...CATALOGUE,
  ...DOCUMENTS,
  ...PAYMENTS,
  ...SELLING,
  ...USAGE,
};
