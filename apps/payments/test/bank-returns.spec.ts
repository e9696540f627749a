import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { BANK, bankAccount, importFile } from './bank-world.js';
import { type Booking, camt } from './statements/make-camt.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  account = await bankAccount(tenant);
});
afterAll(() => world.stop());

const opened = async (gross: number, number: string): Promise<string> =>
  (await tenant.finalize({ customerId: await tenant.customer(), gross, number }))[0]!;

const imported = async (...bookings: Booking[]): Promise<void> => {
  const { status, body } = await importFile(tenant, account, camt(bookings));
  expect([status, body.imported]).toEqual([201, bookings.length]);
};

const isOpen = (invoice: string, amount: number): Promise<Json> =>
  eventually(async () => {
    const intent = await tenant.intent(invoice);
    return intent.status === 'open' && intent.openAmount.amount === amount && intent;
  }, `${invoice} is open again`);

const back = (amount: string, id: string, day = '2026-11-24'): Booking => ({
  amount, debit: true, day, endToEnd: `E-${id}`, text: 'Rueckgabe', returnCode: 'AC04',
}); // prettier-ignore

const bookedReturn = async (id: string): Promise<Json> =>
  (await tenant.ok('GET', `${BANK}?isReturn=true&endToEndId=E-${id}`)).data[0];

it('a return whose file is imported before that of its payment opens the invoice as soon as that is there', async () => {
  const invoice = await opened(8000, 'RE-2026-71001');
  await imported(back('80.00', '71001'));
  expect(await bookedReturn('71001')).toMatchObject({ status: 'STATUS_MANUAL_MATCHING_REQUIRED' });
  await imported({ amount: '80.00', endToEnd: 'E-71001', text: 'RE-2026-71001' });
  await isOpen(invoice, 8000);
  expect(await bookedReturn('71001')).toMatchObject({ status: 'STATUS_BOOKED', assignments: [{ invoiceId: invoice }] });
  expect(await tenant.broken()).toEqual([]);
});

it('paid, returned, and paid once more in one file: each is booked, and the invoice paid', async () => {
  const invoice = await opened(8100, 'RE-2026-71002');
  await imported({ amount: '81.00', endToEnd: 'E-71002', text: 'RE-2026-71002' }, back('81.00', '71002'), {
    amount: '81.00',
    day: '2026-11-26',
    endToEnd: 'AGAIN',
    text: 'RE-2026-71002',
  });
  const lines = await eventually(async () => {
    const { data } = await tenant.ok('GET', `${BANK}?limit=100`);
    const ours = data.filter((line: Json) => Math.abs(line.amount.amount) === 8100);
    return ours.every((line: Json) => line.status === 'STATUS_BOOKED') && ours;
  }, 'all three are booked');
  expect(lines).toHaveLength(3);
  expect(await tenant.intent(invoice)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
  expect(await tenant.broken()).toEqual([]);
});

it.each(['accepted', 'assigned'])('a return opens the invoice when its payment is %s later', async (how) => {
  const [id, cents] = how === 'accepted' ? ['71003', 8200] : ['71004', 8300];
  const invoice = await opened(cents, `RE-2026-${id}`);
  const amount = `${cents / 100 + 1}.00`;
  await imported({ amount, endToEnd: `E-${id}`, text: `RE-2026-${id}` }, back(`${cents / 100}.00`, id));
  const { data } = await tenant.ok('GET', `${BANK}?isReturn=false&endToEndId=E-${id}`);
  if (how === 'accepted') await tenant.ok('PUT', `${BANK}/accept-suggestions`, { transactionIds: [data[0].id] });
  else await tenant.ok('PUT', `${BANK}/${data[0].id}/assign`, { invoiceIds: [invoice] });
  await isOpen(invoice, cents);
  expect(await bookedReturn(id)).toMatchObject({ status: 'STATUS_BOOKED' });
  expect(await tenant.broken()).toEqual([]);
});
