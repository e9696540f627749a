import { compareDecimal, decimal } from '@kontor/money';
import { LoopTurn } from '@kontor/service-kit';
import {
  billedElsewhere,
  type BreakdownDocument,
  type BreakdownPosition,
  type Language,
  type UsedIn,
} from '../../domain/breakdowns/breakdown-document.js';
import { chart } from './chart.js';
import { escapeHtml as text, Format } from './format.js';
import { STYLE } from './style.js';
import { WORDS } from './words.js';

export interface PageOptions {
  readonly language: Language;
  /** Path of the page, without query. */
  readonly path: string;
  readonly cancelled: boolean;
}

/** The page about the usage on one document, as a whole HTML document. Every text in it is escaped. Others have their turn in between. */
export async function breakdownPage(
  document: BreakdownDocument,
  { language, path, cancelled }: PageOptions,
): Promise<string> {
  const words = WORDS[language];
  const format = new Format(language, document.timeZone);
  const about = document.type === 'TYPE_CREDIT' ? words.credit(document.number) : words.of(document.number);
  const facts: [string, string | null][] = [
    [words.seller, document.sellerName],
    [words.customer, document.customerName],
    [words.issued, format.day(document.finalizedAt)],
    [words.period, periodOf(document.positions, format)],
    [words.questions, document.sellerEmail],
  ];
  return shell(language, { title: `${words.title} ${about}`, seller: document.sellerName, path }, [
    `<h1>${text(words.title)}</h1><p class="lead">${text(about)}</p>`,
    cancelled ? `<p class="warn" role="note">${text(words.cancelled)}</p>` : '',
    definitions(facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '')),
    summary(document, format, language),
    `<p><a class="button" href="${text(path)}/csv?lang=${language}" download>${text(words.download)}</a></p>`,
    ...(await sections(document.positions, format, language)),
    document.omittedPositions > 0 ? `<p class="note">${text(words.omitted(document.omittedPositions))}</p>` : '',
  ]);
}

/** Shown for unknown tokens: it does not reveal whether there ever was a page. */
export const missingPage = (language: Language): string =>
  shell(language, { title: WORDS[language].gone, seller: null, path: null }, [
    `<h1>${text(WORDS[language].gone)}</h1><p>${text(WORDS[language].goneText)}</p>`,
  ]);

interface Frame {
  readonly title: string;
  readonly seller: string | null;
  /** Null: there is nothing to switch. */
  readonly path: string | null;
}

function shell(language: Language, { title, seller, path }: Frame, parts: readonly string[]): string {
  const words = WORDS[language];
  const choice = (code: Language, name: string): string => {
    const current = code === language ? ' aria-current="true"' : '';
    const href = `${text(path ?? '')}?lang=${code}`;
    return `<li><a href="${href}" hreflang="${code}" lang="${code}"${current}>${name}</a></li>`;
  };
  const languages =
    path === null
      ? ''
      : `<nav aria-label="${text(words.language)}"><ul>${choice('de', 'Deutsch')}${choice('en', 'English')}</ul></nav>`;
  return [
    `<!doctype html><html lang="${language}"><head>${META}`,
    `<meta name="robots" content="noindex, nofollow"><title>${text(title)}</title><style>${STYLE}</style></head><body>`,
    `<a class="skip" href="#content">${text(words.toContent)}</a>`,
    `<header class="top"><span class="seller">${text(seller ?? '')}</span>${languages}</header><main id="content">`,
    ...parts,
    `</main><footer>${text(seller ?? '')}</footer></body></html>`,
  ].join('\n');
}

const META = ['<meta charset="utf-8">', '<meta name="viewport" content="width=device-width, initial-scale=1">'].join(
  '',
);

const definitions = (entries: readonly (readonly [string, string])[]): string =>
  `<dl>${entries.map(([name, value]) => `<div><dt>${text(name)}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>`;

function periodOf(positions: readonly BreakdownPosition[], format: Format): string {
  const [from, to] = [
    positions.map(({ usage }) => usage.from).sort()[0]!,
    positions
      .map(({ usage }) => usage.to)
      .sort()
      .at(-1)!,
  ];
  return format.period(from, to);
}

function summary({ positions }: BreakdownDocument, format: Format, language: Language): string {
  const words = WORDS[language];
  const cell = (label: string, html: string): string => `<td class="n" data-label="${text(label)}">${html}</td>`;
  const rows = positions.map((position) => {
    const { usage, netAmount } = position;
    const period = text(format.period(usage.from, usage.to));
    return [
      `<tr><th scope="row"><span>${text(titleOf(position))}<span class="when">${period}</span></span></th>`,
      cell(words.quantity, text(withUnit(format.number(usage.quantity), usage.unit))),
      cell(words.price, text(priceOf(position, format, language))),
      `${cell(words.amount, text(format.money(netAmount)))}</tr>`,
    ].join('');
  });
  const [first] = positions;
  const total = {
    amount: positions.reduce((sum, { netAmount }) => sum + netAmount.amount, 0),
    currencyCode: first!.netAmount.currencyCode,
  };
  const heads = [words.quantity, words.price, words.amount]
    .map((name) => `<th scope="col" class="n">${text(name)}</th>`)
    .join('');
  return [
    `<section aria-labelledby="summary"><h2 id="summary">${text(words.summary)}</h2><table class="wide">`,
    `<thead><tr><th scope="col">${text(words.position)}</th>${heads}</tr></thead>`,
    `<tbody>${rows.join('')}</tbody>`,
    `<tfoot><tr><th scope="row" colspan="3">${text(words.total)}</th>${cell('', text(format.money(total)))}</tr></tfoot>`,
    '</table></section>',
  ].join('');
}

/**
 * The price as a reader can check it against quantity and amount: of one unit where all that was measured is billed by
 * it, multiplied where free units or packages make the billed quantity another one, and in words further below where
 * slices, a flat price, a minimum or a correction make one amount.
 */
function priceOf(
  { quantity, unitPrice, unitName, usage }: BreakdownPosition,
  format: Format,
  language: Language,
): string {
  const price = format.money(unitPrice);
  if (compareDecimal(decimal(quantity), decimal(usage.quantity)) === 0)
    return WORDS[language].perUnit(price, unitName ?? usage.unit);
  return quantity === '1' ? WORDS[language].below : `${format.number(quantity)} × ${price}`;
}

async function sections(
  positions: readonly BreakdownPosition[],
  format: Format,
  language: Language,
): Promise<string[]> {
  const turn = new LoopTurn();
  const html: string[] = [];
  for (const position of positions) {
    html.push(section(position, html.length + 1, format, language));
    if (turn.isOver) await turn.pass();
  }
  return html;
}

function section(position: BreakdownPosition, ordinal: number, format: Format, language: Language): string {
  const words = WORDS[language];
  const { usage, parts } = position;
  const byDay = position.granularity === 'day';
  const title = `${ordinal}. ${titleOf(position)}`;
  const explanation = (position.description ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `<p class="note">${text(line)}</p>`);
  const heading = byDay ? words.byDay : words.byMonth;
  const used = parts.some((part) => part.value !== '0' || part.events > 0);
  const body = used
    ? [
        chart(position, format, {
          title: `${heading}: ${titleOf(position)}`,
          description: highestOf(position, format, language),
        }),
        table(position, format, language),
        position.additive ? '' : `<p class="note">${text(words.notAdditive)}</p>`,
      ]
    : [`<p class="note">${text(words.nothing)}</p>`];
  return [
    `<section aria-labelledby="p-${ordinal}"><h2 id="p-${ordinal}">${text(title)}</h2>`,
    ...explanation,
    definitions([
      [words.period, format.period(usage.from, usage.to)],
      [words.measured, withUnit(format.number(usage.quantity), usage.unit)],
      [words.amount, format.money(position.netAmount)],
    ]),
    `<h3>${text(heading)}</h3>`,
    ...body,
    '</section>',
  ].join('');
}

function table(position: BreakdownPosition, format: Format, language: Language): string {
  const words = WORDS[language];
  const byDay = position.granularity === 'day';
  const { usage, parts } = position;
  const grouped = parts.some((part) => part.groups);
  const row = (name: string, events: string, value: string, group = ''): string =>
    [
      `<tr><th scope="row">${text(name)}</th>`,
      grouped ? `<td>${text(group)}</td>` : '',
      `<td class="n">${text(events)}</td><td class="n">${text(value)}</td></tr>`,
    ].join('');
  const rest = billedElsewhere(position);
  const rows = parts.flatMap((part) => {
    const name = byDay ? format.day(part.from) : format.month(part.from);
    const cells = ({ events, value }: Pick<UsedIn, 'events' | 'value'>) =>
      [format.number(String(events)), format.number(value)] as const;
    return (
      part.groups?.map((used) => row(name, ...cells(used), groupName(used.group, words.noGroup))) ?? [
        row(name, ...cells(part)),
      ]
    );
  });
  if (rest !== null) rows.push(row(words.elsewhere, '', format.number(rest)));
  const events = parts.reduce((sum, part) => sum + part.events, 0);
  const total = row(
    position.additive ? words.total : words.wholePeriod,
    format.number(String(events)),
    format.number(usage.quantity),
  );
  const unit = usage.unit === null ? words.quantity : `${words.quantity} (${usage.unit})`;
  return [
    `<div class="scroll"><table><thead><tr><th scope="col">${text(byDay ? words.day : words.month)}</th>`,
    grouped ? `<th scope="col">${text(words.group)}</th>` : '',
    `<th scope="col" class="n">${text(words.events)}</th><th scope="col" class="n">${text(unit)}</th></tr></thead>`,
    `<tbody>${rows.join('')}</tbody><tfoot>${total}</tfoot></table></div>`,
  ].join('');
}

function highestOf({ parts, granularity }: BreakdownPosition, format: Format, language: Language): string {
  const highest = parts.reduce((highest, part) => (Number(part.value) > Number(highest.value) ? part : highest));
  return WORDS[language].highest(
    format.number(highest.value),
    granularity === 'day' ? format.day(highest.from) : format.month(highest.from),
  );
}

/** The position's name, with what it is of where the metric is grouped. */
export function titleOf({ name, usage }: BreakdownPosition): string {
  const group = Object.values(usage.group ?? {}).filter((value) => value !== '');
  return group.length === 0 ? name : `${name} (${group.join(', ')})`;
}

/** The values of a group; the words for none where an event had no such property. */
const groupName = (group: Readonly<Record<string, string>>, none: string): string =>
  Object.values(group)
    .map((value) => value || none)
    .join(', ');

const withUnit = (quantity: string, unit: string | null): string => (unit === null ? quantity : `${quantity} ${unit}`);
