import fc from 'fast-check';
import { compare } from './compare.js';
import type { PlainModel } from './plain-model.js';
import type { Purse } from './purse.js';
import type { Currency } from './things.js';
import type { Real } from './real.js';

/** What chance decides about a step. */
export interface Dice {
  readonly customer: number;
  readonly swiss: boolean;
  /** Minor units, 1 to 300. */
  readonly amount: number;
  readonly pick: number;
  readonly other: number;
  readonly flag: boolean;
  /** Milliseconds after which the service's database sessions end. */
  readonly kill: number | null;
}

export interface Situation {
  readonly model: PlainModel;
  readonly real: Real;
  readonly dice: Dice;
  readonly purse: Purse;
}

export interface Step {
  readonly name: string;
  /** False where there is nothing that the step could be about. */
  readonly can?: (model: PlainModel, dice: Dice, purse: Purse) => boolean;
  /** To the service and to the model. */
  readonly take: (situation: Situation) => Promise<void>;
  /** The clock's due work is left for later. */
  readonly leavesWork?: (dice: Dice) => boolean;
}

export const pickFrom = <T>(all: readonly T[], pick: number): T => all[pick % all.length]!;

const dice: fc.Arbitrary<Dice> = fc.record({
  customer: fc.nat(2),
  swiss: fc.boolean(),
  amount: fc.integer({ min: 1, max: 300 }),
  pick: fc.nat(20),
  other: fc.nat(20),
  flag: fc.boolean(),
  kill: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 25 }) },
  ),
});

export const counted = { steps: 0, kills: 0, byName: new Map<string, number>() };

const purseOf = (model: PlainModel, { customer, swiss }: Dice): Purse => {
  const currency: Currency = swiss ? 'CHF' : 'EUR';
  return model.purses.filter((purse) => purse.currency === currency)[customer]!;
};

class Command implements fc.AsyncCommand<PlainModel, Real> {
  constructor(
    private readonly step: Step,
    private readonly dice: Dice,
  ) {}

  check(model: Readonly<PlainModel>): boolean {
    const it = model as PlainModel;
    return this.step.can?.(it, this.dice, purseOf(it, this.dice)) ?? true;
  }

  async run(model: PlainModel, real: Real): Promise<void> {
    real.kill = this.dice.kill;
    await this.step.take({ model, real, dice: this.dice, purse: purseOf(model, this.dice) });
    if (real.kill !== null) counted.kills += 1;
    real.kill = null;
    model.decided();
    if (this.step.leavesWork?.(this.dice) !== true) {
      await real.work(model.now);
      model.work();
    }
    await compare(model, real);
    counted.steps += 1;
    counted.byName.set(this.step.name, (counted.byName.get(this.step.name) ?? 0) + 1);
  }

  toString(): string {
    const { customer, swiss, amount, pick, other, flag, kill } = this.dice;
    return `${this.step.name}(c${customer} ${swiss ? 'CHF' : 'EUR'} ${amount}, ${pick}, ${other}, ${flag}${kill === null ? '' : `, killed after ${kill} ms`})`;
  }
}

export const commandOf = (step: Step): fc.Arbitrary<fc.AsyncCommand<PlainModel, Real>> =>
  dice.map((thrown) => new Command(step, thrown));
