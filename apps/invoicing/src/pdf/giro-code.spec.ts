import { describe, expect, it } from '@jest/globals';
import { giroCodeText, moduleCode } from './giro-code.js';

const order = {
  accountHolder: 'Nordlicht Software GmbH',
  iban: 'DE02 1203 0000 0000 2020 51',
  bic: 'BYLADEM1001',
  amountMinor: 17814,
  remittance: 'RE-2026-00042',
};

describe('the GiroCode', () => {
  it('says what a banking app needs', () => {
    expect(giroCodeText(order)).toBe(
      'BCD\n002\n1\nSCT\nBYLADEM1001\nNordlicht Software GmbH\nDE02120300000000202051\nEUR178.14\n\n\nRE-2026-00042',
    );
  });

  it.each([
    [5, 'EUR0.05'],
    [100, 'EUR1.00'],
    [99_999_999_999, 'EUR999999999.99'],
  ])('%d cents are written %s', (amountMinor, expected) =>
    expect(giroCodeText({ ...order, amountMinor })?.split('\n')[7]).toBe(expected),
  );

  it.each([0, -1, 100_000_000_000])('there is none for %d cents', (amountMinor) =>
    expect(giroCodeText({ ...order, amountMinor })).toBeUndefined(),
  );

  it('never has more bytes than allowed, names are cut to 70 characters', () => {
    const text = giroCodeText({ ...order, accountHolder: 'Müller '.repeat(30), remittance: 'x'.repeat(200) });
    expect(text === undefined || Buffer.byteLength(text) <= 331).toBe(true);
    expect(giroCodeText({ ...order, accountHolder: 'A'.repeat(90) })?.split('\n')[5]).toHaveLength(70);
  });

  it('is a square of modules', () => {
    const code = moduleCode('BCD');
    expect(code.size).toBe(21);
    expect(code.operators.startsWith('0 0 7 1 re')).toBe(true);
  });
});
