import { describe, expect, it } from '@jest/globals';
import { inDocumentOrder, mustTakeChild, servicePeriodOf } from './position.js';

const p = (id: string, ordinal: number, parentId: string | null = null, groupRanking: number | null = null) => ({
  id,
  ordinal,
  parentId,
  groupRanking,
});

describe('positions', () => {
  it('stand in order of headlines, then as entered, children behind their parent', () => {
    const ordered = inDocumentOrder([
      p('late', 9, null, 2),
      p('a2', 3, 'a'),
      p('a', 2, null, 1),
      p('free', 5),
      p('a1', 1, 'a'),
    ]);
    expect(ordered.map((position) => position.id)).toEqual(['free', 'a', 'a1', 'a2', 'late']);
  });

  it('nest two deep', () => {
    expect(() => mustTakeChild({ parentId: 'x' })).toThrow(
      expect.objectContaining({ reason: 'position_tree_too_deep' }),
    );
    expect(() => mustTakeChild({ parentId: null })).not.toThrow();
  });

  it('together cover from the earliest to the latest day', () => {
    const at = (text: string) => new Date(text);
    const positions = [
      { serviceFrom: at('2026-02-01'), serviceLast: at('2026-02-10') },
      { serviceFrom: null, serviceLast: null },
      { serviceFrom: null, serviceLast: at('2026-01-05') },
    ];
    expect(servicePeriodOf(positions)).toEqual({ from: at('2026-01-05'), last: at('2026-02-10') });
    expect(servicePeriodOf([])).toEqual({ from: null, last: null });
  });
});
