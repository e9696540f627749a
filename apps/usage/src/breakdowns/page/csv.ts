import { defuseText } from '@kontor/kernel';
import { billedElsewhere, type BreakdownDocument, type Language } from '../../domain/breakdowns/breakdown-document.js';
import { WORDS } from './words.js';

/**
 * The page's tables for a spreadsheet: UTF-8 with a mark at the start. German spreadsheets want semicolons and decimal
 * commas. A text that one of them would run as a formula gets an apostrophe. The day (or month) is the customer's, the
 * instants are UTC.
 */
export function breakdownCsv(document: BreakdownDocument, language: Language): string {
  const delimiter = language === 'de' ? ';' : ',';
  const number = (decimal: string): string => (language === 'de' ? decimal.replace('.', ',') : decimal);
  const days = new Intl.DateTimeFormat('sv-SE', {
    timeZone: document.timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const dayOf = (instant: string): string => days.format(new Date(instant));
  const rows: string[][] = [[...WORDS[language].csv]];
  for (const position of document.positions) {
    const { usage } = position;
    const billedGroup = usage.group ?? {};
    const row = (
      group: Readonly<Record<string, string>>,
      day: string,
      from: string,
      to: string,
      events: string,
      value: string,
    ): string[] => [
      defuseText(position.name),
      defuseText(usage.metricName),
      defuseText(inWords(group)),
      day,
      from,
      to,
      events,
      number(value),
      defuseText(usage.unit ?? ''),
    ];
    for (const part of position.parts) {
      const day = dayOf(part.from).slice(0, position.granularity === 'day' ? 10 : 7);
      for (const { group, events, value } of part.groups ?? [{ group: billedGroup, ...part }])
        rows.push(row(group, day, part.from, part.to, String(events), value));
    }
    const rest = billedElsewhere(position);
    if (rest !== null) rows.push(row(billedGroup, WORDS[language].elsewhere, '', '', '', rest));
  }
  return `\ufeff${rows.map((row) => row.map((cell) => quoted(cell, delimiter)).join(delimiter)).join('\r\n')}\r\n`;
}

const inWords = (group: Readonly<Record<string, string>>): string =>
  Object.entries(group)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
