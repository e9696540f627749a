import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isReturnCode } from './return-codes.js';
import {
  bankDay,
  MAX_NAME,
  NO_BATCH,
  type RawDetail,
  type RawEntry,
  type RawStatement,
  realReference,
  UnreadableStatement,
} from './statement.js';

/** A node as the parser leaves it: text, or children by their names. */
type Node = string | { readonly [name: string]: Node | readonly Node[] | undefined } | undefined;

const LISTS = new Set(['Stmt', 'Ntfctn', 'Ntry', 'NtryDtls', 'TxDtls', 'Ustrd', 'Strd', 'Rcrd']);

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  trimValues: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // The path of a node is put together as text only when asked for.
  jPath: false,
  isArray: (name) => LISTS.has(name),
});

/**
 * Statements of a CAMT.053 document (versions .02 to .08, with any namespace prefix), or the notifications of a CAMT.054,
 * whose entries are those of a statement with their details. Pending entries are left out.
 * @throws UnreadableStatement for XML that is not well-formed, has a DOCTYPE, or is no CAMT.053
 */
export function parseCamt053(xml: string): RawStatement[] {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml))
    throw new UnreadableStatement('The XML has a DOCTYPE, which bank statements never have.');
  const checked = XMLValidator.validate(xml);
  if (checked !== true)
    throw new UnreadableStatement(
      `The XML is not well-formed: ${checked.err.msg.slice(0, 200)} (line ${checked.err.line}, column ${checked.err.col}).`,
    );
  const root = read(xml)['Document'];
  const message = child(root, 'BkToCstmrStmt');
  const notification = child(root, 'BkToCstmrDbtCdtNtfctn');
  if (message === undefined && notification === undefined)
    throw new UnreadableStatement(`This is no CAMT.053 statement${whatItIs(root)}.`);
  const statements = message === undefined ? list(notification, 'Ntfctn') : list(message, 'Stmt');
  if (statements.length === 0) throw new UnreadableStatement('The CAMT.053 document has no statement (Stmt).');
  return statements.map(readStatement);
}

function read(xml: string): Readonly<Record<string, Node>> {
  try {
    return parser.parse(xml) as Record<string, Node>;
  } catch {
    throw new UnreadableStatement('The XML is nested too deeply, or has names that no bank statement has.');
  }
}

function whatItIs(root: Node): string {
  if (typeof root !== 'object') return ': it has no Document element';
  if (root['BkToCstmrAcctRpt'] !== undefined)
    return ' but a CAMT.052 report of the current day, which is a notice only: import the statement of the day';
  return '';
}

function readStatement(statement: Node, index: number): RawStatement {
  const name = `statement ${text(statement, 'Id')?.slice(0, MAX_NAME) ?? index + 1}`;
  const currency = text(statement, 'Acct', 'Ccy');
  return {
    name,
    account: text(statement, 'Acct', 'Id', 'IBAN') ?? text(statement, 'Acct', 'Id', 'Othr', 'Id') ?? null,
    entries: list(statement, 'Ntry').flatMap(
      (entry, n) => readEntry(entry, `entry ${n + 1} of ${name}`, currency) ?? [],
    ),
  };
}

function readEntry(entry: Node, name: string, accountCurrency: string | undefined): RawEntry | undefined {
  const status = text(entry, 'Sts', 'Cd') ?? text(entry, 'Sts', 'Prtry') ?? text(entry, 'Sts') ?? 'BOOK';
  if (status !== 'BOOK') return undefined;
  const isDebit = directionOf(text(entry, 'CdtDbtInd'));
  const entryCode = codeOf(entry);
  const reversal = text(entry, 'RvslInd') === 'true' || text(entry, 'RvslInd') === '1';
  const bankReference = realReference(text(entry, 'AcctSvcrRef'));
  const groups = list(entry, 'NtryDtls');
  const details = groups.flatMap((group) =>
    list(group, 'TxDtls').map((detail) => readDetail(detail, group, isDebit, entryCode, reversal)),
  );
  const onlyBatch = groups.length > 0 ? batchOf(groups[0]) : NO_BATCH;
  return {
    name,
    bookingDay: day(child(entry, 'BookgDt')) ?? day(child(entry, 'ValDt')) ?? '',
    valueDay: day(child(entry, 'ValDt')),
    amount: text(entry, 'Amt') ?? '',
    isDebit,
    currencyCode: attribute(child(entry, 'Amt'), 'Ccy') ?? accountCurrency ?? '',
    bankReference,
    details:
      details.length > 0
        ? details.map((detail) => ({ ...detail, remittance: detail.remittance ?? text(entry, 'AddtlNtryInf') ?? null }))
        : [
            {
              ...EMPTY,
              remittance: text(entry, 'AddtlNtryInf') ?? null,
              isReturn: reversal || isReturnCode(entryCode),
              batch: onlyBatch,
            },
          ],
  };
}

const EMPTY: RawDetail = {
  amount: null,
  currencyCode: null,
  isDebit: null,
  reference: null,
  endToEndId: null,
  mandateReference: null,
  counterpartyName: null,
  counterpartyIban: null,
  remittance: null,
  isReturn: false,
  returnReason: null,
  charges: null,
  batch: NO_BATCH,
};

function readDetail(
  detail: Node,
  group: Node,
  entryIsDebit: boolean | null,
  entryCode: readonly string[],
  reversal: boolean,
): RawDetail {
  const indicator = text(detail, 'CdtDbtInd');
  const isDebit = indicator === undefined ? entryIsDebit : directionOf(indicator);
  // Versions before .04 name the part's amount only here; it counts when its currency is the entry's.
  const amount = child(detail, 'Amt') ?? child(detail, 'AmtDtls', 'TxAmt', 'Amt');
  const reason =
    text(detail, 'RtrInf', 'Rsn', 'Cd') ?? text(detail, 'RtrInf', 'Rsn', 'Prtry') ?? text(detail, 'RtrInf', 'AddtlInf');
  const code = codeOf(detail);
  const isReturn = reversal || child(detail, 'RtrInf') !== undefined || isReturnCode(code) || isReturnCode(entryCode);
  const parties = child(detail, 'RltdPties');
  // Money in comes from the debtor. What comes back keeps its parties: of a debit of ours the one who had to pay is the
  // debtor, of a transfer of ours the one who was to get it is the creditor.
  const isTransferBack = isReturn && isDebit === false && child(parties, 'Cdtr') !== undefined;
  const payer = (isDebit && !isReturn) || isTransferBack ? 'Cdtr' : 'Dbtr';
  const counterparty = (role: string): string | undefined =>
    text(parties, role, 'Pty', 'Nm') ?? text(parties, role, 'Nm');
  const accountOf = (role: string): string | undefined => text(parties, `${role}Acct`, 'Id', 'IBAN');
  const refs = child(detail, 'Refs');
  return {
    amount: text(amount) ?? null,
    currencyCode: attribute(amount, 'Ccy') ?? null,
    isDebit: indicator === undefined ? null : isDebit,
    reference:
      realReference(text(refs, 'AcctSvcrRef')) ??
      realReference(text(refs, 'TxId')) ??
      realReference(text(refs, 'InstrId')),
    endToEndId: realReference(text(refs, 'EndToEndId')),
    mandateReference: realReference(text(refs, 'MndtId')),
    counterpartyName: counterparty(payer) ?? counterparty(`Ultmt${payer}`) ?? null,
    counterpartyIban: accountOf(payer) ?? null,
    remittance: remittanceOf(detail),
    isReturn,
    returnReason: reason ?? null,
    charges: chargesOf(detail),
    batch: {
      ...batchOf(group),
      ...prune({ paymentInformationId: text(refs, 'PmtInfId'), messageId: text(refs, 'MsgId') }),
    },
  };
}

function remittanceOf(detail: Node): string | null {
  const info = child(detail, 'RmtInf');
  const free = list(info, 'Ustrd')
    .map((part) => text(part) ?? '')
    .filter(Boolean);
  const structured = list(info, 'Strd').flatMap((part) => [
    text(part, 'CdtrRefInf', 'Ref'),
    text(part, 'RfrdDocInf', 'Nb'),
    text(part, 'AddtlRmtInf'),
  ]);
  const all = [...free, ...structured.filter((part): part is string => part !== undefined)];
  const whole = all.join('\n') || (text(detail, 'AddtlTxInf') ?? '');
  return whole === '' ? null : whole;
}

function chargesOf(detail: Node): string | null {
  const charges = child(detail, 'Chrgs');
  return text(charges, 'TtlChrgsAndTaxAmt') ?? text(charges, 'Amt') ?? text(list(charges, 'Rcrd')[0], 'Amt') ?? null;
}

const batchOf = (group: Node) => ({
  paymentInformationId: text(group, 'Btch', 'PmtInfId') ?? null,
  messageId: text(group, 'Btch', 'MsgId') ?? null,
});

const prune = <T extends Record<string, string | undefined>>(ids: T): Record<keyof T, string> =>
  Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== undefined)) as Record<keyof T, string>;

/** Bank transaction code: ISO family and sub-family, or the bank's own words. */
function codeOf(node: Node): string[] {
  const code = child(node, 'BkTxCd');
  const iso = child(code, 'Domn', 'Fmly');
  return [
    [text(code, 'Domn', 'Cd'), text(iso, 'Cd'), text(iso, 'SubFmlyCd')].filter(Boolean).join('/'),
    ...(text(code, 'Prtry', 'Cd') ?? '').split('+'),
  ].filter((part) => part !== '');
}

const directionOf = (indicator: string | undefined): boolean | null =>
  indicator === 'DBIT' ? true : indicator === 'CRDT' ? false : null;

const day = (node: Node): string | null => {
  const written = text(node, 'Dt') ?? text(node, 'DtTm');
  return written === undefined ? null : bankDay(written.slice(0, 10));
};

function child(node: Node, ...names: string[]): Node {
  let at: Node = node;
  for (const name of names) {
    if (typeof at !== 'object') return undefined;
    const next: Node | readonly Node[] | undefined = at[name];
    at = (Array.isArray(next) ? next[0] : next) as Node;
  }
  return at;
}

function list(node: Node, name: string): readonly Node[] {
  const found = typeof node === 'object' ? node[name] : undefined;
  return found === undefined ? [] : Array.isArray(found) ? (found as readonly Node[]) : [found as Node];
}

/** Text of a node below; undefined when it is missing or empty. */
function text(node: Node, ...names: string[]): string | undefined {
  const found = child(node, ...names);
  const raw = typeof found === 'object' ? (found['#text'] as string | undefined) : found;
  return raw === undefined || raw === '' ? undefined : decodeEntities(raw);
}

const attribute = (node: Node, name: string): string | undefined =>
  typeof node === 'object' ? (node[`@${name}`] as string) : undefined;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five entities that XML itself knows, and characters by number; nothing else exists without a DOCTYPE. */
function decodeEntities(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '';
    },
  );
}
