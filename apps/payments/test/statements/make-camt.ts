/** One booking of a statement that a test makes. */
export interface Booking {
  readonly amount: string;
  readonly debit?: boolean;
  readonly day?: string;
  readonly ref?: string;
  readonly text?: string;
  readonly endToEnd?: string;
  readonly name?: string;
  readonly iban?: string;
  readonly status?: string;
  readonly returnCode?: string;
  readonly currency?: string;
  readonly charges?: string;
  /** Payment information of a batch of ours; a batch without `parts` has its sum alone. */
  readonly batch?: string;
  readonly message?: string;
  readonly parts?: readonly Booking[];
}

const xml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const tag = (name: string, content: string | undefined): string => (content ? `<${name}>${content}</${name}>` : '');

/** A CAMT.053 document as German banks write it; `version` 2 to 8, `prefix` a namespace prefix. */
export function camt(
  bookings: readonly Booking[],
  options: { version?: number; account?: string; id?: string; prefix?: string; encoding?: string } = {},
): string {
  const {
    version = 8,
    account = 'DE89370400440532013000',
    id = '2026-00231',
    prefix = '',
    encoding = 'UTF-8',
  } = options;
  const head = '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T20:00:00</CreDtTm></GrpHdr>';
  const entries = bookings.map((booking) => entry(booking, version)).join('');
  const body =
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.0${version}"><BkToCstmrStmt>${head}` +
    `<Stmt><Id>${id}</Id><Acct><Id><IBAN>${account}</IBAN></Id><Ccy>EUR</Ccy></Acct>${entries}</Stmt>` +
    '</BkToCstmrStmt></Document>';
  const named =
    prefix === '' ? body : body.replace(/<(\/?)(\w)/g, `<$1${prefix}:$2`).replace('xmlns=', `xmlns:${prefix}=`);
  return `<?xml version="1.0" encoding="${encoding}"?>\n${named}`;
}

function entry(booking: Booking, version: number): string {
  const day = booking.day ?? '2026-11-20';
  const status = booking.status ?? 'BOOK';
  const { message, batch } = booking;
  const batchIds = message || batch ? `<Btch>${tag('MsgId', message)}${tag('PmtInfId', batch)}</Btch>` : '';
  const details = (booking.parts ?? [booking]).map((part) => detail(part, booking, version)).join('');
  return (
    `<Ntry><Amt Ccy="${booking.currency ?? 'EUR'}">${booking.amount}</Amt>` +
    `<CdtDbtInd>${booking.debit ? 'DBIT' : 'CRDT'}</CdtDbtInd>` +
    `<Sts>${version >= 4 ? tag('Cd', status) : status}</Sts>` +
    `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>${tag('AcctSvcrRef', booking.ref)}` +
    `<NtryDtls>${batchIds}${details}</NtryDtls></Ntry>`
  );
}

function detail(booking: Booking, whole: Booking, version: number): string {
  const role = whole.debit && !booking.returnCode ? 'Cdtr' : 'Dbtr';
  const name =
    booking.name === undefined
      ? ''
      : version >= 8
        ? `<Pty><Nm>${xml(booking.name)}</Nm></Pty>`
        : `<Nm>${xml(booking.name)}</Nm>`;
  const amount = `<Amt Ccy="${whole.currency ?? 'EUR'}">${booking.amount}</Amt>`;
  const account = booking.iban && `<Id><IBAN>${booking.iban}</IBAN></Id>`;
  const purpose = (booking.text?.match(/[\s\S]{1,140}/g) ?? []).map((part) => `<Ustrd>${xml(part)}</Ustrd>`).join('');
  const charges = booking.charges && `<TtlChrgsAndTaxAmt Ccy="EUR">${booking.charges}</TtlChrgsAndTaxAmt>`;
  return (
    `<TxDtls><Refs>${tag('EndToEndId', booking.endToEnd ?? 'NOTPROVIDED')}</Refs>` +
    (version >= 4 ? amount : `<AmtDtls><TxAmt>${amount}</TxAmt></AmtDtls>`) +
    `<RltdPties>${tag(role, name)}${tag(`${role}Acct`, account)}</RltdPties>${tag('RmtInf', purpose)}` +
    tag('RtrInf', booking.returnCode && `<Rsn><Cd>${booking.returnCode}</Cd></Rsn>`) +
    `${tag('Chrgs', charges)}</TxDtls>`
  );
}

/** The same bookings as MT940 with subfields. */
export function mt940(bookings: readonly Booking[], account = '37040044/532013000'): string {
  const short = (day: string): string => day.replaceAll('-', '').slice(2);
  const lines = bookings.map((booking) => {
    const day = booking.day ?? '2026-11-20';
    const purpose = `${booking.endToEnd ? `EREF+${booking.endToEnd} ` : ''}SVWZ+${booking.text ?? ''}`;
    const pieces = purpose.match(/[\s\S]{1,27}/g) ?? [];
    const sub = pieces
      .slice(0, 10)
      .map((piece, i) => `?${20 + i}${piece}`)
      .join('');
    const { amount, debit, ref, returnCode, iban, name } = booking;
    const field = (number: number, value: string | undefined): string => (value ? `?${number}${value}` : '');
    return (
      `:61:${short(day)}${short(day).slice(2)}${debit ? 'D' : 'C'}R${amount.replace('.', ',')}` +
      `NTRFNONREF${ref ? `//${ref}` : ''}\r\n` +
      `:86:${returnCode ? '109' : '166'}?00GUTSCHRIFT${sub}` +
      `${field(31, iban)}${field(32, name)}${field(34, returnCode)}`
    );
  });
  return `:20:STARTUMSE\r\n:25:${account}\r\n:28C:00231/001\r\n:60F:C261119EUR1000,00\r\n${lines.join('\r\n')}\r\n:62F:C261120EUR2000,00\r\n-\r\n`;
}
