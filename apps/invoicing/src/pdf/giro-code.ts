import QRCode from 'qrcode';

export interface CreditTransferOrder {
  readonly accountHolder: string;
  readonly iban: string;
  readonly bic: string | null;
  /** Euro cents, positive. */
  readonly amountMinor: number;
  readonly remittance: string;
}

/** A code as dark modules: `operators` are rectangles in modules, from the upper left corner. */
export interface ModuleCode {
  readonly size: number;
  readonly operators: string;
}

const MAX_BYTES = 331;
const MAX_AMOUNT_MINOR = 99_999_999_999;

/** Cut to at most `length` characters without splitting one. */
const cut = (text: string, length: number): string => [...text.replace(/\s+/g, ' ').trim()].slice(0, length).join('');

/**
 * The text of a GiroCode: what a banking app reads to fill in a SEPA credit transfer. Undefined when the order cannot
 * be
 * expressed (no amount, too large, or too long).
 * @see EPC069-12 v3.1, version 002 (the BIC is optional)
 */
export function giroCodeText(order: CreditTransferOrder): string | undefined {
  if (order.amountMinor < 1 || order.amountMinor > MAX_AMOUNT_MINOR) return undefined;
  const cents = String(order.amountMinor).padStart(3, '0');
  const lines = [
    'BCD',
    '002',
    '1',
    'SCT',
    order.bic ?? '',
    cut(order.accountHolder, 70),
    order.iban.replace(/\s/g, ''),
    `EUR${cents.slice(0, -2)}.${cents.slice(-2)}`,
    '',
    '',
    cut(order.remittance, 140),
  ];
  const text = lines.join('\n');
  return Buffer.byteLength(text, 'utf8') <= MAX_BYTES ? text : undefined;
}

/** The QR code of a text with error correction M, as the GiroCode asks for. */
export function moduleCode(text: string): ModuleCode {
  // A fixed mask spares the trial of all eight, most of the cost of a code; every reader takes any mask.
  const { modules } = QRCode.create([{ data: Buffer.from(text, 'utf8'), mode: 'byte' }], {
    errorCorrectionLevel: 'M',
    maskPattern: 3,
  });
  const { size, data } = modules;
  const rectangles: string[] = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!data[row * size + column]) continue;
      const start = column;
      while (column < size && data[row * size + column]) column++;
      rectangles.push(`${start} ${row} ${column - start} 1 re`);
    }
  }
  return { size, operators: rectangles.join('\n') };
}
