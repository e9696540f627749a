import { foldText } from '../import/same-entry.js';

/** What a company may have behind its name, in the languages of our payers. */
const LEGAL_FORMS = [
  /gmbh|ug|ag|se|kg|ohg|gbr|e\.?\s?k\.?|e\.?\s?v\.?|mbh|co\.?|ltd\.?|limited|inc\.?|llc|plc/,
  /b\.?v\.?|n\.?v\.?|s\.?a\.?(?:r\.?l\.?)?|s\.?r\.?l\.?|haftungsbeschränkt|&|\(|\)/,
].map((pattern) => pattern.source);
/**
 * What was read of one form is never read in another way (`(?=(…))\1`): a name of a few dozen forms with something behind them would
 * otherwise be read in all ways there are, which takes for ever.
 */
const LEGAL_FORM = new RegExp(`[\\s,]+(?:(?=((?:${LEGAL_FORMS.join('|')})[\\s.,()]*))\\1)+$`, 'i');
const SHORTEST = 4;
/** As long as a customer's name can be; banks may say more. */
const LONGEST = 255;

/** A name as names are compared: folded, as it is and without its legal form. Too short ones say nothing. */
export function comparableNames(said: string): string[] {
  const name = said.slice(0, LONGEST);
  const names = [name, name.trim().replace(LEGAL_FORM, '')].map(foldText);
  return [...new Set(names)].filter((name) => name.length >= SHORTEST);
}

/** All that a customer may be called on a statement. */
export function customerNames(customer: {
  readonly companyName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}): string[] {
  const { companyName, firstName, lastName } = customer;
  const people = firstName && lastName ? [`${firstName} ${lastName}`, `${lastName} ${firstName}`] : [];
  return [...new Set([...(companyName ? [companyName] : []), ...people].flatMap(comparableNames))];
}
