import type { BreakdownPosition, UsedIn } from '../../domain/breakdowns/breakdown-document.js';
import { escapeHtml, type Format } from './format.js';

const WIDTH = 480;
const HEIGHT = 190;
const LEFT = 52;
const BOTTOM = 24;
const TOP = 8;
const MAX_LABELS = 5;

interface Labels {
  /** For those who cannot see it. */
  readonly title: string;
  readonly description: string;
}

/**
 * Bars of a position's days as inline SVG. Heights are for the eye only: the exact values are in the table below it.
 */
export function chart(
  { parts, granularity, id }: Pick<BreakdownPosition, 'parts' | 'granularity' | 'id'>,
  format: Format,
  labels: Labels,
): string {
  const values = parts.map((part) => Number(part.value));
  const highest = niceCeiling(Math.max(0, ...values));
  const lowest = -niceCeiling(Math.max(0, ...values.map((value) => -value)));
  const span = highest - lowest || 1;
  const y = (value: number): number => TOP + ((highest - value) / span) * (HEIGHT - TOP - BOTTOM);
  const slot = (WIDTH - LEFT) / Math.max(1, parts.length);
  const name = (part: UsedIn): string => (granularity === 'day' ? format.shortDay(part.from) : format.month(part.from));
  const bars = parts.map((part, index) => {
    const value = values[index]!;
    const top = y(Math.max(0, value));
    const height = Math.max(value === 0 ? 0 : 1, y(Math.min(0, value)) - top);
    const [x, width] = [fixed(LEFT + index * slot + slot * 0.12), fixed(slot * 0.76)];
    const title = escapeHtml(`${name(part)}: ${format.number(part.value)}`);
    return [
      `<rect class="bar" x="${x}" y="${fixed(top)}" width="${width}" height="${fixed(height)}">`,
      `<title>${title}</title></rect>`,
    ].join('');
  });
  const marks = [...new Set([highest, (highest + lowest) / 2, 0, lowest])].map((value) => {
    const [at, textAt] = [fixed(y(value)), fixed(y(value) + 4)];
    const label = escapeHtml(format.number(compact(value)));
    return [
      `<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${at}" y2="${at}"/>`,
      `<text class="tick" x="${LEFT - 6}" y="${textAt}" text-anchor="end">${label}</text>`,
    ].join('');
  });
  const every = Math.max(1, Math.ceil(parts.length / MAX_LABELS));
  const days = parts.map((part, index) => {
    if (index % every !== 0) return '';
    const [x, anchor] = [fixed(LEFT + index * slot + slot / 2), index === 0 ? 'start' : 'middle'];
    return `<text class="tick" x="${x}" y="${HEIGHT - 6}" text-anchor="${anchor}">${escapeHtml(name(part))}</text>`;
  });
  return [
    `<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="t-${id} d-${id}">`,
    `<title id="t-${id}">${escapeHtml(labels.title)}</title>`,
    `<desc id="d-${id}">${escapeHtml(labels.description)}</desc>`,
    ...marks,
    ...bars,
    ...days,
    '</svg>',
  ].join('');
}

/** 1, 2, 2.5, 5 or 10 times a power of ten. */
function niceCeiling(value: number): number {
  if (value <= 0 || !Number.isFinite(value)) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value) ?? 10 * power;
}

const compact = (value: number): string => String(Number(value.toPrecision(6)));
const fixed = (value: number): string => String(Math.round(value * 10) / 10);
