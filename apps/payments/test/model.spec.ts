import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { howMany, showProgress, testSeed } from '@kontor/testing';
import fc from 'fast-check';
import { BANK_STEPS } from './model/bank-steps.js';
import { MONEY_STEPS } from './model/money-steps.js';
import { PlainModel } from './model/plain-model.js';
import { Purse } from './model/purse.js';
import type { Currency } from './model/things.js';
import { Real, SteppedWorld } from './model/real.js';
import { commandOf, counted } from './model/step.js';
import { WALLET_STEPS } from './model/wallet-steps.js';

/** How many steps are taken at least, over all sequences. */
const STEPS = Number(process.env['MONEY_MODEL_STEPS'] ?? howMany(250, 10_000));
const SEED = Number(process.env['FAST_CHECK_SEED'] ?? testSeed);
const CURRENCIES: readonly Currency[] = ['EUR', 'CHF'];
const START = Date.parse('2026-11-02T09:00:00.000Z');

let stepped: SteppedWorld;
beforeAll(async () => {
  stepped = await SteppedWorld.start();
});
afterAll(() => stepped.stop());

const steps = [...MONEY_STEPS, ...WALLET_STEPS, ...BANK_STEPS].map(commandOf);
const sequence = fc.asyncProperty(
  fc.commands(steps, { maxCommands: 120, size: 'max' }),
  fc.boolean(),
  fc.boolean(),
  async (commands, creditOverpayments, applyCreditAutomatically) => {
    const model = new PlainModel(START);
    model.settings = { creditOverpayments, applyCreditAutomatically };
    const real = await Real.start(stepped, { ...model.settings, paymentRetryDays: [] }, START);
    for (const customer of real.customers)
      for (const currency of CURRENCIES) model.purses.push(new Purse(model, customer, currency));
    await fc.asyncModelRun(() => ({ model, real }), commands);
  },
);

it(`money moves as a plain model says, in any order, with sessions killed on the way (FAST_CHECK_SEED=${SEED})`, async () => {
  for (let seed = SEED; counted.steps < STEPS; seed += 1) {
    await fc.assert(sequence, { seed, numRuns: 1, endOnFailure: true }).catch((error: Error) => {
      throw new Error(`FAST_CHECK_SEED=${seed} MONEY_MODEL_STEPS=1 repeats this.\n${error.message}`, { cause: error });
    });
    showProgress('steps of the money model', counted.steps, STEPS);
  }
  expect(counted.steps).toBeGreaterThanOrEqual(STEPS);
  if (process.env['MONEY_MODEL_REPORT'])
    process.stderr.write(`${JSON.stringify([counted.steps, counted.kills, [...counted.byName]])}\n`);
});
