import { type TextStyle, widthOf } from './canvas.js';

/**
 * Longest head of `word` that fits, ending at a hyphen or slash where one is near; at least one character, so that
 * wrapping always ends.
 */
function headThatFits(word: string, width: number, style: TextStyle): string {
  const chars = [...word];
  let low = 1;
  let high = chars.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(chars.slice(0, middle).join(''), style) <= width) low = middle;
    else high = middle - 1;
  }
  const head = chars.slice(0, low).join('');
  const joint = Math.max(head.lastIndexOf('-'), head.lastIndexOf('/')) + 1;
  return joint > head.length / 2 ? head.slice(0, joint) : head;
}

/**
 * Breaks a text into lines of at most `width` points, at spaces, and inside a word only where it is longer than a line.
 */
export function wrap(text: string, width: number, style: TextStyle): string[] {
  const lines: string[] = [];
  const space = widthOf(' ', style);
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    let line = '';
    let used = 0;
    for (let word of paragraph.split(/[ \t]+/)) {
      if (!word) continue;
      let needed = widthOf(word, style);
      if (line && used + space + needed > width) {
        lines.push(line);
        line = '';
        used = 0;
      }
      while (needed > width) {
        const head = headThatFits(word, width, style);
        lines.push(head);
        word = word.slice(head.length);
        needed = widthOf(word, style);
      }
      if (!word) continue;
      used = line ? used + space + needed : needed;
      line = line ? `${line} ${word}` : word;
    }
    lines.push(line);
  }
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** The text, or its beginning and an ellipsis where it is wider than `width` points. */
export function clip(text: string, width: number, style: TextStyle): string {
  if (widthOf(text, style) <= width) return text;
  const chars = [...text];
  while (chars.length > 1 && widthOf(`${chars.join('')}…`, style) > width) chars.pop();
  return `${chars.join('').trimEnd()}…`;
}
