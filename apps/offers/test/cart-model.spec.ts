import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { howMany, showProgress, testSeed } from '@kontor/testing';
import fc from 'fast-check';
import { RealShop } from './model/real-shop.js';
import { commands, counted } from './model/cart-steps.js';
import { startSelling, stopSelling } from './support/selling.js';

/** How many steps are taken at least, over all sequences. */
const STEPS = Number(process.env['CART_MODEL_STEPS'] ?? howMany(250, 5_000));
const SEED = Number(process.env['FAST_CHECK_SEED'] ?? testSeed);

beforeAll(startSelling);
afterAll(stopSelling);

const sequence = fc.asyncProperty(fc.commands(commands, { maxCommands: 120, size: 'max' }), async (steps) => {
  const real = await RealShop.start();
  try {
    await fc.asyncModelRun(() => ({ model: {}, real }), steps);
    await real.settle();
  } finally {
    await real.stop();
  }
});

it(`carts live as a plain model says, in any order, with sessions killed on the way (FAST_CHECK_SEED=${SEED})`, async () => {
  for (let seed = SEED; counted.steps < STEPS; seed += 1) {
    await fc.assert(sequence, { seed, numRuns: 1, endOnFailure: true }).catch((error: Error) => {
      throw new Error(`FAST_CHECK_SEED=${seed} CART_MODEL_STEPS=1 repeats this.\n${error.message}`, { cause: error });
    });
    showProgress('steps of the cart model', counted.steps, STEPS);
  }
  expect(counted.steps).toBeGreaterThanOrEqual(STEPS);
});
