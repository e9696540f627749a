import { stringify } from 'csv-stringify/sync';
import { defuseText } from '@kontor/kernel';
import { exponentOf } from '@kontor/money';
import type { DocumentSnapshot } from '../finalization/document-snapshot.js';
import type { Attachment } from './e-invoice.js';
import { minorText } from './minor-text.js';
import { texts } from './texts.js';

const HEADER = ['position', 'name', 'metric', 'group', 'from', 'to', 'measured', 'unit', 'net', 'currency'];

/** What a document bills by usage, as a table: a line for each such position. None without usage. */
export function usageAttachments(snapshot: DocumentSnapshot): Attachment[] {
  const measured = snapshot.positions
    .flatMap((position) => [position, ...position.children])
    .flatMap(({ usage, ...position }) => (usage ? [{ ...position, usage }] : []));
  if (measured.length === 0) return [];
  const scale = exponentOf(snapshot.currencyCode);
  const rows = measured.map(({ label, name, usage, netAfterDiscount }) => [
    label,
    defuseText(name),
    defuseText(usage.metric),
    defuseText(groupText(usage.group)),
    usage.period.from,
    usage.period.to,
    usage.quantity,
    defuseText(usage.unit ?? ''),
    minorText(netAfterDiscount, scale),
    snapshot.currencyCode,
  ]);
  const csv = stringify([HEADER, ...rows], {
    delimiter: ';',
    record_delimiter: 'windows',
    quote_record_delimiter: true,
  });
  return [
    {
      id: 'usage',
      description: texts[snapshot.language].usage,
      fileName: 'usage.csv',
      mimeType: 'text/csv',
      base64: Buffer.from(csv).toString('base64'),
    },
  ];
}

const groupText = (group: Readonly<Record<string, string>> | null): string =>
  Object.entries(group ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
