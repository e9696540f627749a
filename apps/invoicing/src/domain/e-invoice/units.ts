/** Codes of UN/ECE Recommendation 20 for units as people name them; anything else is counted in `C62`, "one". */
const CODES: Readonly<Record<string, readonly string[]>> = {
  MON: ['monat', 'monate', 'month', 'months'],
  ANN: ['jahr', 'jahre', 'year', 'years'],
  WEE: ['woche', 'wochen', 'week', 'weeks'],
  DAY: ['tag', 'tage', 'day', 'days'],
  HUR: ['stunde', 'stunden', 'std', 'std.', 'h', 'hour', 'hours'],
  MIN: ['minute', 'minuten', 'min', 'min.', 'minutes'],
  SEC: ['sekunde', 'sekunden', 's', 'second', 'seconds'],
  E34: ['gb', 'gigabyte', 'gigabytes'],
  '4L': ['mb', 'megabyte', 'megabytes'],
  E35: ['tb', 'terabyte', 'terabytes'],
  KWH: ['kwh', 'kilowattstunde', 'kilowattstunden'],
  KGM: ['kg', 'kilogramm', 'kilogram', 'kilograms'],
  KMT: ['km', 'kilometer', 'kilometre', 'kilometres'],
  MTR: ['m', 'meter', 'metre', 'metres'],
  LTR: ['l', 'liter', 'litre', 'litres'],
  P1: ['%', 'prozent', 'percent'],
  H87: ['stück', 'stk', 'stk.', 'piece', 'pieces', 'pcs'],
};

const CODE_OF = new Map(Object.entries(CODES).flatMap(([code, names]) => names.map((name) => [name, code])));

export const unitCode = (name: string | null): string => CODE_OF.get(name?.trim().toLowerCase() ?? '') ?? 'C62';
