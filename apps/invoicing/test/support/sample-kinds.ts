import type { DocumentSnapshot, SnapshotPosition } from '../../src/domain/finalization/document-snapshot.js';
import {
  CANCELLED_CREDIT,
  DEFAULT_TEMPLATES,
  type Language,
  kindOf,
} from '../../src/domain/templates/document-templates.js';
import { SAMPLE_BRAND } from './sample-brand.js';
import { samplePosition, sampleSnapshot } from '../../src/pdf/sample-snapshot.js';

type Changes = Partial<DocumentSnapshot> & Pick<DocumentSnapshot, 'type'>;

/** The texts that hold while a tenant has written none; placeholders show as dots. */
function textsOf({ type, referencedDocument }: Changes, language: Language): DocumentSnapshot['texts'] {
  const { title, introduction, closing } =
    type === 'TYPE_CANCEL' && referencedDocument?.type === 'TYPE_CREDIT'
      ? CANCELLED_CREDIT[language]
      : DEFAULT_TEMPLATES[kindOf(type)][language];
  return {
    title: title.replace(/\{%.*%\}/, '').trim(),
    introduction: introduction?.replace(/\{\{.*?\}\}/g, '…') ?? null,
    closing,
  };
}

const returned = (n: number): SnapshotPosition => {
  const { quantity, netAmount, taxAmount, grossAmount, ...position } = samplePosition(n);
  const amounts = { netAmount: -netAmount, netAfterDiscount: -netAmount, taxAmount: -taxAmount };
  return { ...position, ...amounts, quantity: `-${quantity}`, grossAmount: -grossAmount };
};

const fee = (n: number, name: string, amount: number, description: string | null = null): SnapshotPosition =>
  samplePosition(n, {
    name,
    description,
    quantity: '1',
    unitName: null,
    unitPrice: { amount, precision: 2 },
    netAmount: amount,
    netAfterDiscount: amount,
    taxAmount: 0,
    grossAmount: amount,
    taxCategory: 'E',
    taxRate: '0',
    servicePeriod: null,
  });

const INVOICE = { type: 'TYPE_INVOICE', number: 'RE-2026-00042', issueDate: '2026-01-31' } as const;
const correction: Partial<DocumentSnapshot> = {
  payment: { kind: 'credit' },
  dueDate: null,
  referencedDocument: INVOICE,
};

function letter(type: 'TYPE_REMINDER' | 'TYPE_DUNNING', level: number, fees: readonly SnapshotPosition[]): Changes {
  const earlierFeesAmount = 500 * (level - 1);
  return {
    type,
    number: `MA-2026-0000${level}`,
    positions: fees,
    servicePeriod: null,
    referencedDocument: INVOICE,
    claim: {
      level,
      letter: level - 1,
      invoiceNumber: INVOICE.number,
      invoiceDate: INVOICE.issueDate,
      invoiceDueDate: '2026-02-14',
      invoiceGrossAmount: 17_814,
      openAmount: 10_814,
      earlierFeesAmount,
      claimAmount: fees.reduce((sum, { grossAmount }) => sum + grossAmount, 10_814 + earlierFeesAmount),
    },
  };
}

const CREDIT = { type: 'TYPE_CREDIT', number: 'RK-2026-00001', issueDate: '2026-02-10' } as const;

/** A customer and services in other letters than ours, and longer than a line. */
const FOREIGN: Partial<DocumentSnapshot> = {
  number: 'ALT/2019-4711',
  recipient: {
    ...sampleSnapshot(1).recipient,
    companyName: 'Βιβλιοπωλεία Αθηναϊκής Παιδείας και Εκδόσεις Ανώνυμη Εταιρεία',
    nameLines: ['Βιβλιοπωλεία Αθηναϊκής Παιδείας και Εκδόσεις Ανώνυμη Εταιρεία', 'Łucja Świątek-Wójciechowska-Źdźbło'],
    address: {
      street: 'ул. Академика Королёва',
      houseNumber: '12',
      addition: 'İçişleri Bakanlığı Çalışma Grubu, Şükrü Öztürkoğlu',
      zip: '127427',
      city: 'Щёлково',
      countryCode: 'GR',
    },
  },
  positions: [
    samplePosition(1, { name: 'Ετήσια συνδρομή βιβλιοθήκης' }),
    samplePosition(2, { name: 'Сопровождение и обслуживание программного обеспечения для книжных магазинов' }),
    samplePosition(3, { name: 'Şehir içi ulaşım ve gümrük işlemleri', description: 'Zażółć gęślą jaźń – przesyłka' }),
  ],
};

const KINDS: Readonly<Record<string, Changes>> = {
  invoice: { type: 'TYPE_INVOICE' },
  cancellation: {
    ...correction,
    type: 'TYPE_CANCEL',
    number: 'ST-2026-00001',
    positions: [returned(1), returned(2)],
  },
  'cancelled-credit': {
    ...correction,
    type: 'TYPE_CANCEL',
    number: 'ST-2026-00002',
    referencedDocument: CREDIT,
    positions: [samplePosition(1)],
  },
  branded: { type: 'TYPE_INVOICE', brand: SAMPLE_BRAND },
  foreign: { ...FOREIGN, type: 'TYPE_INVOICE' },
  long: { type: 'TYPE_INVOICE', positions: Array.from({ length: 200 }, (_, n) => samplePosition(n + 1)) },
  'credit-note': { ...correction, type: 'TYPE_CREDIT', number: 'RK-2026-00001', positions: [returned(1)] },
  refund: { ...correction, type: 'TYPE_REFUND', number: 'ER-2026-00001', positions: [returned(1)] },
  reminder: letter('TYPE_REMINDER', 1, [fee(1, 'Mahngebühr', 500)]),
  'dunning-letter': letter('TYPE_DUNNING', 2, [fee(1, 'Mahngebühr', 500)]),
  'last-dunning-letter': letter('TYPE_DUNNING', 3, [
    fee(1, 'Mahngebühr', 500),
    fee(2, 'Verzugszinsen', 213, '10,27 % vom 15.02.2026 bis 28.02.2026'),
    fee(3, 'Verzugspauschale', 4000, '§ 288 (5) BGB'),
  ]),
};

/** A document of each kind in each language, by a name. */
export const sampleKinds: readonly (readonly [name: string, DocumentSnapshot])[] = Object.entries(KINDS).flatMap(
  ([name, changes]) =>
    (['de', 'en'] as const).map(
      (language) =>
        [
          `${name}-${language}`,
          sampleSnapshot(2, { ...changes, language, texts: textsOf(changes, language) }),
        ] as const,
    ),
);
