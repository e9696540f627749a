import { describe, expect, it } from '@jest/globals';
import { passwordProblem } from './passwords.js';

const common = new Set(['password', 'passwort', 'sommer', 'qwerty123456', 'hallo']);
const known = ['ada.berg@nordlicht.example', 'Ada', 'Berg', 'Nordlicht Software GmbH'];

describe('a new password', () => {
  it.each([
    ['short', 'too_short'],
    ['a'.repeat(201), 'too_long'],
    ['QWERTY123456', 'too_common'],
    ['Password2026!', 'too_common'],
    ['P@ssw0rt!!!!', 'too_common'],
    ['sommersommer', 'too_common'],
    ['1111122222', 'too_common'],
    ['abcdefghijkl', 'too_common'],
    ['0987654321', 'too_common'],
    ['nordlicht2026', 'too_personal'],
    ['Nordlicht!Berg', 'too_personal'],
    ['correct horse battery', null],
    ['Zwölf Boxkämpfer', null],
    ['h8Kd-3lMx0q', null],
    ['nordlicht und ein langer Satz', null],
  ])('%s: %s', (password, expected) => expect(passwordProblem(password, { common, known })).toBe(expected));
});
