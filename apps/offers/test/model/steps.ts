import { expect } from '@jest/globals';
import { ulidToUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import fc from 'fast-check';
import { anybody, billing, signature, tokenOf } from '../support/selling.js';
import { daysFrom, type Outcome, PlainOffer, type Signer } from './plain-offer.js';
import { outcomeOf, type RealSeller, SEATS } from './real-seller.js';

/** What chance says about a step. */
export interface Dice {
  readonly pick: number;
  readonly other: number;
  readonly flag: boolean;
}
interface Turn {
  readonly real: RealSeller;
  readonly offer: PlainOffer;
  readonly signer: Signer;
  readonly dice: Dice;
}
type Step = (turn: Turn) => Promise<void>;

export const counted = { steps: 0, byName: new Map<string, number>() };
const MODES = ['click', 'esignature', 'print'] as const;
const HOUR = 3_600_000;

const create = async (real: RealSeller, { pick, other, flag }: Dice): Promise<void> => {
  const seller = flag ? real.withAddress : real.withoutAddress;
  const validUntil = other % 5 === 0 ? null : daysFrom(real.now, 1 + (other % 4));
  const turns = [1, 1 + (pick % 2)].slice(0, 1 + (other % 2));
  const made = await seller.send('POST', '/offers', {
    ...bodyOf(seller.customerId, validUntil, 1),
    acceptanceMode: MODES[pick % 3],
    recipients: turns.map((turn, n) => ({ email: `r${n}@x.example`, turn })),
  });
  expect(made.status).toBe(201);
  const signers = made.body.recipients.map((row: { link: string; turn: number }) => ({
    token: tokenOf(row.link),
    turn: row.turn,
    hasSigned: false,
  }));
  real.plain.push(new PlainOffer(made.body.id as string, MODES[pick % 3]!, flag, signers, validUntil));
};

const bodyOf = (customer: string, validUntil: number | null, version: number) => ({
  customer,
  name: `Version ${version}`,
  validUntil: validUntil && new Date(validUntil).toISOString(),
  sections: [{ type: 'items', items: [SEATS] }],
});

/** The version that is sent along: what was read last, sometimes long ago; `isCurrent` is what that means. */
function versionSent({ real, offer, dice }: Turn): { versionHash: string | null; isCurrent: boolean } {
  const known = [...real.hashes].filter(([version]) => version.startsWith(`${offer.id} `));
  const sent = dice.flag || known.length === 0 ? undefined : known[dice.other % known.length];
  return { versionHash: sent?.[1] ?? null, isCurrent: sent === undefined || sent[0] === offer.version };
}

/** While billing is away nothing that needs it can be done. */
const needsBilling = (said: Outcome, expected: Outcome): Outcome =>
  billing.isAway && said === 'service_unavailable' ? said : expected;

const STEPS: Readonly<Record<string, Step>> = {
  edit: async ({ real, offer, dice }) => {
    const { send, customerId } = real.sellerOf(offer);
    const body = { ...bodyOf(customerId, offer.validUntil, offer.current + 1), acceptanceMode: offer.mode };
    const answer = await send('PUT', `/offers/${offer.id}`, body);
    expect(outcomeOf(answer)).toBe(offer.edit());
    void dice;
  },
  publish: async ({ real, offer }) => {
    const answer = await real.staff(offer, 'publish');
    if (billing.isAway && !offer.whyUnpublishable(real.now)) expect(answer.status).toBeGreaterThanOrEqual(500);
    else expect(outcomeOf(answer)).toBe(offer.publish(real.now));
  },
  open: async ({ real, offer, signer }) => {
    const answer = await anybody()('GET', `/public/offers/${signer.token}`);
    expect(outcomeOf(answer)).toBe(offer.open(real.now));
    if (answer.status === 200) real.hashes.set(offer.version, answer.body.versionHash as string);
  },
  choose: async ({ real, offer, signer, dice }) => {
    const quantity = 1 + (dice.pick % 10);
    const answer = await real.visitor(signer.token, 'choice', {
      items: [{ item: SEATS.id, quantity: String(quantity) }],
    });
    const said = outcomeOf(answer);
    if (needsBilling(said, '') !== said) expect(said).toBe(offer.choose(real.now, quantity));
  },
  accept: async (turn) => {
    const { versionHash, isCurrent } = versionSent(turn);
    const answer = await turn.real.visitor(turn.signer.token, 'accept', { versionHash });
    expect(outcomeOf(answer)).toBe(turn.offer.accept(turn.real.now, isCurrent));
  },
  sign: async (turn) => {
    const { versionHash, isCurrent } = versionSent(turn);
    const answer = await turn.real.visitor(turn.signer.token, 'sign', { ...signature(), versionHash });
    expect(outcomeOf(answer)).toBe(turn.offer.sign(turn.real.now, turn.signer, isCurrent));
  },
  details: async ({ real, offer, signer }) => {
    const answer = await real.visitor(signer.token, 'invoice-details', { street: 'Ring', zip: '1010', city: 'Wien' });
    expect(outcomeOf(answer)).toBe(offer.details(real.now));
  },
  'accept by staff': async ({ real, offer }) => {
    const said = outcomeOf(await real.staff(offer, 'accept'));
    // A sale that billing refuses may have been tried meanwhile, by the runner.
    const mayHaveFailed = offer.sale === 'pending' && real.refused.has(ulidToUuid(offer.id));
    if (said === 'done' && mayHaveFailed) offer.sale = 'failed';
    expect(said).toBe(offer.acceptByStaff(real.now));
  },
  'cancel signing': async ({ real, offer }) =>
    expect(outcomeOf(await real.staff(offer, 'cancel-signing'))).toBe(offer.cancelSigning()),
  extend: async ({ real, offer, dice }) => {
    const until = daysFrom(real.now, (dice.other % 6) - 1);
    const answer = await real.staff(offer, 'extend', { validUntil: new Date(until).toISOString() });
    expect(outcomeOf(answer)).toBe(offer.extend(real.now, until));
  },
  archive: async ({ real, offer, dice }) => {
    // Rarely: nothing more happens to it.
    if (dice.pick % 4 > 0) return;
    expect(outcomeOf(await real.staff(offer, 'archive'))).toBe(offer.archive());
  },
  'pass time': ({ real, dice }) => real.passTime((1 + (dice.other % 30)) * HOUR),
  'billing comes and goes': async () => void (billing.isAway = !billing.isAway),
  'billing changes its mind': async ({ real, offer }) => {
    const id = ulidToUuid(offer.id);
    if (offer.sale === null || offer.sale === 'failed') real.refused[real.refused.has(id) ? 'delete' : 'add'](id);
  },
  settle: ({ real }) => real.settle(),
  'a double click': async ({ real, offer, signer }) => {
    const answers = await Promise.all([1, 2, 3].map(() => real.visitor(signer.token, 'accept', {})));
    const expected = offer.accept(real.now, true);
    expect(answers.map(outcomeOf)).toEqual([expected, expected, expected]);
  },
  'accept against archive': async ({ real, offer, signer, dice }) => {
    if (dice.pick % 3 > 0) return;
    const [accepted, archived] = (
      await Promise.all([real.visitor(signer.token, 'accept', {}), real.staff(offer, 'archive')])
    ).map(outcomeOf);
    if (archived === 'done') {
      // Who came second found it archived.
      if (accepted !== 'not_found') expect(accepted).toBe(offer.accept(real.now, true));
      if (offer.status === 'signed') throw new Error('An offer that was accepted was archived.');
      offer.archive();
    } else {
      expect(accepted).toBe(offer.accept(real.now, true));
      expect(archived).toBe(offer.archive());
    }
  },
  'accept, killed on the way': async ({ real, offer, signer }) => {
    const click = real.visitor(signer.token, 'accept', {}).then(outcomeOf, () => 'interrupted');
    await real.killSessions();
    const said = await click;
    // Whatever was answered: it has happened, or it has not; and saying it again says so.
    const now = await eventually(async () => {
      const answer = await real.sellerOf(offer).send('GET', `/offers/${offer.id}`);
      return answer.status === 200 ? answer.body : undefined;
    });
    const hasHappened = said === 'done' || (now.status === 'signed' && offer.status !== 'signed');
    if (hasHappened) return expect(offer.accept(real.now, true)).toBe('done');
    const isKill = said === 'interrupted' || /^5|unavailable|internal|overloaded/.test(said);
    const again = isKill
      ? await eventually(async () => {
          const answer = await real.visitor(signer.token, 'accept', {});
          return answer.status < 500 ? outcomeOf(answer) : undefined;
        })
      : said;
    expect(again).toBe(offer.accept(real.now, true));
  },
};

class StepCommand implements fc.AsyncCommand<object, RealSeller> {
  constructor(
    private readonly name: string,
    private readonly dice: Dice,
  ) {}

  check(): boolean {
    return true;
  }

  async run(_model: object, real: RealSeller): Promise<void> {
    counted.steps += 1;
    counted.byName.set(this.name, (counted.byName.get(this.name) ?? 0) + 1);
    if (this.name === 'create' || real.plain.length === 0) return create(real, this.dice);
    // The newest are the liveliest.
    const recent = real.plain.slice(-4);
    const offer = recent[this.dice.pick % recent.length]!;
    const signer = offer.signers[this.dice.other % offer.signers.length]!;
    await STEPS[this.name]!({ real, offer, signer, dice: this.dice });
    await real.compare(offer);
  }

  toString(): string {
    return `${this.name}(${JSON.stringify(this.dice)})`;
  }
}

const dice = fc.record({ pick: fc.nat(1000), other: fc.nat(1000), flag: fc.boolean() });
/** Some are taken more often, so that offers get somewhere. */
const OFTEN = ['create', 'publish', 'publish', 'open', 'open', 'choose', 'accept', 'sign', 'sign', 'sign'];

export const commands = [...OFTEN, ...Object.keys(STEPS)].map((name) =>
  dice.map((rolled) => new StepCommand(name, rolled)),
);
