import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { turnsOfOthers } from '@kontor/testing';
import { ArrayMaxSize, IsString, Length } from 'class-validator';
import { MoneyDto, MoneyField, NestedList, OptionalField, RequiredField, Uuid } from './fields.js';
import { readDto, readDtoInTurns } from './read-dto.js';

class LeafDto {
  @RequiredField() @IsString() @Length(1, 5) name!: string;
  @OptionalField() @MoneyField() price?: MoneyDto | null;
}

class TreeDto {
  @RequiredField() @IsString() @Length(1, 5) name!: string;
  @OptionalField() @NestedList(() => LeafDto, { min: 1, max: 500 }) leaves?: LeafDto[] | null;
}

class ForestDto {
  @RequiredField() @NestedList(() => TreeDto) trees!: TreeDto[];
}

class NamingDto {
  @OptionalField() @Uuid() owner?: string | null;
  @OptionalField() @Uuid({ each: true }) @ArrayMaxSize(3) all?: string[] | null;
}

const leaf = { name: 'leaf', price: { amount: 1, currencyCode: 'EUR' } };
const violationsIn = (body: object): string[] => {
  try {
    readDto(ForestDto, body);
    return [];
  } catch (error) {
    return (error as { violations: { propertyPath: string; code: string }[] }).violations.map(
      ({ propertyPath, code }) => `${propertyPath} ${code}`,
    );
  }
};

describe('a body', () => {
  it('is an instance of its class, with all that is nested in it', () => {
    const { trees } = readDto(ForestDto, {
      trees: [
        { name: 'oak', leaves: [leaf] },
        { name: 'elm', leaves: null },
      ],
    });
    expect(trees[0]).toBeInstanceOf(TreeDto);
    expect(trees[0]!.leaves![0]).toBeInstanceOf(LeafDto);
    expect(trees[0]!.leaves![0]!.price).toBeInstanceOf(MoneyDto);
  });

  it('is wrong where a part of it is, said with its place, what comes first first', () => {
    const wrong = { name: 'too long', price: { amount: 0.5, currencyCode: 'EU' } };
    expect(
      violationsIn({
        trees: [
          { name: '', leaves: [leaf, wrong] },
          { name: 'elm', leaves: [] },
        ],
      }),
    ).toEqual([
      'trees[0].name invalid_length',
      'trees[0].leaves[1].name invalid_length',
      'trees[0].leaves[1].price.amount not_an_integer',
      expect.stringMatching(/^trees\[0\]\.leaves\[1\]\.price\.currencyCode /),
      'trees[1].leaves invalid_length',
    ]);
  });

  it('of which everything is wrong is not looked at to its end', () => {
    const trees = Array.from({ length: 1000 }, () => ({ name: '' }));
    expect(violationsIn({ trees })).toHaveLength(100);
  });

  it('names others by ids, which mean the same in capitals', () => {
    const id = '0190a000-0000-7000-8000-37912842e8ec';
    expect({ ...readDto(NamingDto, { owner: id.toUpperCase(), all: [id, id.toUpperCase()] }) }).toEqual({
      owner: id,
      all: [id, id],
    });
    expect({ ...readDto(NamingDto, { owner: null }) }).toEqual({ owner: null });
    expect(() => readDto(NamingDto, { owner: 'NONE' })).toThrow('owner must be a UUID');
  });

  it('is read in turns with others', async () => {
    const trees = [1, 2, 3].map(() => ({ name: 'oak', leaves: [leaf, leaf] }));
    const { result, turns } = await turnsOfOthers(() => readDtoInTurns(ForestDto, { trees }));
    expect(result.trees).toHaveLength(3);
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
