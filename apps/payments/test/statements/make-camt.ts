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
  const { version = 8, account = 'DE89370400440532013000', id = '2026-00231', prefix = '', encoding = 'UTF-8' } = options;
  const body = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.0${version}"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T20:00:00</CreDtTm></GrpHdr><Stmt><Id>${id}</Id><Acct><Id><IBAN>${account}</IBAN></Id><Ccy>EUR</Ccy></Acct>${bookings.map((one) => entry(one, version)).join('')}</Stmt></BkToCstmrStmt></Document>`;
  const named = prefix === '' ? body : body.replace(/<(\/?)(\w)/g, `<$1${prefix}:$2`).replace('xmlns=', `xmlns:${prefix}=`);
  return `<?xml version="1.0" encoding="${encoding}"?>\n${named}`;
}

function entry(one: Booking, version: number): string {
  const day = one.day ?? '2026-11-20';
  const status = one.status ?? 'BOOK';
  return `<Ntry><Amt Ccy="${one.currency ?? 'EUR'}">${one.amount}</Amt><CdtDbtInd>${one.debit ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>${version >= 4 ? tag('Cd', status) : status}</Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>${tag('AcctSvcrRef', one.ref)}<NtryDtls>${one.batch || one.message ? `<Btch>${tag('MsgId', one.message)}${tag('PmtInfId', one.batch)}</Btch>` : ''}${(one.parts ?? [one]).map((part) => detail(part, one, version)).join('')}</NtryDtls></Ntry>`;
}

function detail(one: Booking, whole: Booking, version: number): string {
  const role = whole.debit && !one.returnCode ? 'Cdtr' : 'Dbtr';
  const name = one.name === undefined ? '' : version >= 8 ? `<Pty><Nm>${xml(one.name)}</Nm></Pty>` : `<Nm>${xml(one.name)}</Nm>`;
  const amount = `<Amt Ccy="${whole.currency ?? 'EUR'}">${one.amount}</Amt>`;
  return `<TxDtls><Refs>${tag('EndToEndId', one.endToEnd ?? 'NOTPROVIDED')}</Refs>${version >= 4 ? amount : `<AmtDtls><TxAmt>${amount}</TxAmt></AmtDtls>`}<RltdPties>${tag(role, name)}${tag(`${role}Acct`, one.iban && `<Id><IBAN>${one.iban}</IBAN></Id>`)}</RltdPties>${tag('RmtInf', one.text && (one.text.match(/[\s\S]{1,140}/g) ?? []).map((part) => `<Ustrd>${xml(part)}</Ustrd>`).join(''))}${tag('RtrInf', one.returnCode && `<Rsn><Cd>${one.returnCode}</Cd></Rsn>`)}${one.charges ? `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">${one.charges}</TtlChrgsAndTaxAmt></Chrgs>` : ''}</TxDtls>`;
}

/** The same bookings as MT940 with subfields. */
export function mt940(bookings: readonly Booking[], account = '37040044/532013000'): string {
  const short = (day: string): string => day.replaceAll('-', '').slice(2);
  const lines = bookings.map((one) => {
    const day = one.day ?? '2026-11-20';
    const purpose = `${one.endToEnd ? `EREF+${one.endToEnd} ` : ''}SVWZ+${one.text ?? ''}`;
    const pieces = purpose.match(/[\s\S]{1,27}/g) ?? [];
    const sub = pieces
      .slice(0, 10)
      .map((piece, i) => `?${20 + i}${piece}`)
      .join('');
    return `:61:${short(day)}${short(day).slice(2)}${one.debit ? 'D' : 'C'}R${one.amount.replace('.', ',')}NTRFNONREF${one.ref ? `//${one.ref}` : ''}\r\n:86:${one.returnCode ? '109' : '166'}?00GUTSCHRIFT${sub}${one.iban ? `?31${one.iban}` : ''}${one.name ? `?32${one.name}` : ''}${one.returnCode ? `?34${one.returnCode}` : ''}`;
  });
  return `:20:STARTUMSE\r\n:25:${account}\r\n:28C:00231/001\r\n:60F:C261119EUR1000,00\r\n${lines.join('\r\n')}\r\n:62F:C261120EUR2000,00\r\n-\r\n`;
}
