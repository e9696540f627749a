const numbered = (prefix: string, numbers: string): string[] => numbers.split(' ').map((n) => `${prefix}-${n}`);

/** The ids of the rules that are checked here. */
export const CHECKED_RULES: readonly string[] = [
  ...numbered('BR', '01 02 03 04 05 06 07 09 11 16 21 22 23 24 25 26 27 29 30 53 61'),
  ...numbered('BR-CL', '01 04 05 14 17'),
  ...numbered('BR-CO', '04 09 10 11 12 13 14 15 16 17 18 25 26'),
  ...numbered('BR-DEC', '01 09 12 13 14 16 18 20 23'),
  ...numbered('BR-S', '01 02 05 08 10'),
  ...['Z', 'E', 'AE', 'G', 'O'].flatMap((category) => numbered(`BR-${category}`, '01 02 05 08 09 10')),
  ...numbered('BR-IC', '01 02 05 08 09 10 11 12'),
  'BR-O-12',
  ...numbered('BR-DE', '1 2 3 4 5 6 7 8 9 15 18 19 26 30 31'),
  ...numbered('PEPPOL-EN16931', 'R001 R010 R020'),
  // No official ones.
  'LINE-NET',
  'LEITWEG-ID',
];
