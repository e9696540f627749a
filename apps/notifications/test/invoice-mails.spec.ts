import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { templateChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, customerPrincipal, eventually } from '@kontor/testing';
import { World } from './world.js';

describe('mails with invoices, written as files', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const folder = (): string => join(world.test.service.kit.config.dataDir, 'mails');
  const fileOf = (id: string): string =>
    readFileSync(join(folder(), readdirSync(folder()).find((name) => name.endsWith(`${id}.eml`)) ?? ''), 'utf8');
  const sent = (tenantId: string, count = 1) =>
    eventually(async () => {
      const mails = await world.mails(tenantId);
      return mails.length >= count && mails.every((mail) => mail.status === 'sent') ? mails : undefined;
    }, 'the mail sent');

  it.each([
    ['the document first', false],
    ['the file first', true],
  ])('go out once when both are known: %s', async (_name, fileFirst) => {
    const { id, customerId } = await world.tenant();
    const invoiceId = newUuid();
    const steps = [
      () => world.invoiceChanged(id, customerId, invoiceId),
      () => world.mediaReady(id, customerId, invoiceId),
    ];
    if (fileFirst) steps.reverse();
    await steps[0]?.();
    await world.settled(id);
    expect(await world.mails(id)).toEqual([]);
    await steps[1]?.();
    const [mail] = await sent(id);
    expect(mail).toMatchObject({ recipient: 'kunde@example.com', attempts: 1 });
    const eml = fileOf(mail?.id ?? '');
    for (const expected of [
      'To: kunde@example.com',
      'From: Nordlicht GmbH <billing@localhost>',
      'Reply-To: rechnung@nordlicht.example',
      'RE-2026-00001.pdf',
      'Subject: Ihre Rechnung RE-2026-00001 von Nordlicht GmbH',
      'Content-Type: application/pdf',
    ])
      expect(eml).toContain(expected);
    expect(
      Buffer.from(eml.split('filename=RE-2026-00001.pdf')[1]?.split('\r\n\r\n')[1] ?? '', 'base64').toString(),
    ).toContain('%PDF-1.7 /internal/media/');
  });

  it('later changes of the invoice and a second file send nothing more', async () => {
    const { id, customerId } = await world.tenant();
    const invoiceId = newUuid();
    await world.invoiceChanged(id, customerId, invoiceId);
    await world.mediaReady(id, customerId, invoiceId);
    await sent(id);
    await world.invoiceChanged(id, customerId, invoiceId, { status: 'STATUS_PAID' }, 4);
    await world.mediaReady(id, customerId, invoiceId);
    await world.settled(id);
    expect(await world.mails(id)).toHaveLength(1);
  });

  it('are sent again on demand, once for each request, to whom the request names', async () => {
    const { id, customerId } = await world.tenant();
    const invoiceId = newUuid();
    for (const version of [5, 7]) await world.sendRequested(id, customerId, invoiceId, version);
    const mails = await sent(id, 2);
    expect(mails.map((mail) => mail.recipient)).toEqual(['chef@example.com', 'chef@example.com']);
  });

  it('a credit note asks for no payment in the words of the tenant, either', async () => {
    const { id, customerId } = await world.tenant();
    const body = 'Zahlen{% if dueDate != "" %} bis {{ dueDate }}{% endif %}{% if dueDate %}!{% endif %}';
    const texts = {
      subject: '{{ kind }}',
      body: `{% if kind == "credit" %}Guthaben{% else %}${body}{% endif %}|${body}`,
    };
    const state = { kind: 'mail.invoice', language: 'de', texts };
    await world.mailEvent(id, templateChangedV1, { id: 'mail.invoice/de', state });
    await world.settled(id);
    const invoiceId = newUuid();
    const money = { grossAmount: { amount: -1190, currencyCode: 'EUR' }, dueAt: null };
    await world.invoiceChanged(id, customerId, invoiceId, { type: 'TYPE_CREDIT', ...money });
    await world.mediaReady(id, customerId, invoiceId);
    await sent(id);
    const written = await world.test.peek('SELECT subject, text FROM mail WHERE tenant_id = $1', [id]);
    expect(written).toEqual([{ subject: 'credit', text: 'Guthaben|Zahlen' }]);
  });

  it('a document whose customer is to get no mail is not mailed', async () => {
    const { id, customerId } = await world.tenant();
    const invoiceId = newUuid();
    await world.invoiceChanged(id, customerId, invoiceId, { mailed: false });
    await world.mediaReady(id, customerId, invoiceId);
    await world.settled(id);
    expect(await world.mails(id)).toEqual([]);
  });

  it('a draft and an invoice that is being finalized are not mailed', async () => {
    const { id, customerId } = await world.tenant();
    const invoiceId = newUuid();
    await world.mediaReady(id, customerId, invoiceId);
    await world.invoiceChanged(
      id,
      customerId,
      invoiceId,
      { status: 'STATUS_DRAFT', number: null, finalizedAt: null },
      1,
    );
    await world.invoiceChanged(id, customerId, invoiceId, { status: 'STATUS_FINALIZING' }, 2);
    await world.settled(id);
    expect(await world.mails(id)).toEqual([]);
  });

  it('go to the address for invoices in the language of the document', async () => {
    const { id, customerId } = await world.tenant({
      invoiceEmail: 'accounts@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
    });
    const invoiceId = newUuid();
    await world.invoiceChanged(id, customerId, invoiceId, { language: 'en' });
    await world.mediaReady(id, customerId, invoiceId);
    const [mail] = await sent(id);
    expect(mail?.recipient).toBe('accounts@example.com');
    expect(fileOf(mail?.id ?? '')).toContain('Subject: Your invoice RE-2026-00001 from Nordlicht GmbH');
  });

  it('have the XML of an XRechnung beside the PDF', async () => {
    const { id, customerId } = await world.tenant();
    const invoiceId = newUuid();
    const xml = { mediaId: '01K00000000000000000000009', fileName: 'RE-2026-00001.xml', mimeType: 'application/xml' };
    await world.invoiceChanged(id, customerId, invoiceId, { xml });
    world.fileRequests.length = 0;
    await world.mediaReady(id, customerId, invoiceId);
    const [mail] = await sent(id);
    const message = fileOf(mail?.id ?? '');
    // Both by one request.
    expect(world.fileRequests).toEqual([expect.stringMatching(new RegExp(`\\?ids=.*${xml.mediaId}$`))]);
    expect(message).toContain('filename=RE-2026-00001.pdf');
    expect(message).toContain('filename=RE-2026-00001.xml');
  });

  it('one whose file cannot be fetched waits and goes out later', async () => {
    const { id, customerId } = await world.tenant();
    const invoiceId = newUuid();
    world.fileStatus = 503;
    await world.invoiceChanged(id, customerId, invoiceId);
    await world.mediaReady(id, customerId, invoiceId);
    const failed = await eventually(
      async () => (await world.mails(id)).find((mail) => mail.attempts === 1),
      'a failed attempt',
    );
    expect(failed).toMatchObject({ status: 'pending', last_error: expect.stringContaining('not reachable') });
    world.fileStatus = 200;
    await world.test.peek(
      "UPDATE due_work SET poll_at = now(), due_at = now() WHERE tenant_id = $1 AND kind = 'notifications.mail'",
      [id],
    );
    expect((await sent(id))[0]).toMatchObject({ attempts: 2, last_error: null });
  });

  it('that cannot be sent keep no other mail waiting', async () => {
    const { id, customerId } = await world.tenant();
    world.fileStatus = 503;
    for (let i = 0; i < 6; i++) {
      const invoiceId = newUuid();
      await world.invoiceChanged(id, customerId, invoiceId);
      await world.mediaReady(id, customerId, invoiceId);
      await world.methodLinkCreated(id, customerId, 'https://billing.example/public/payment-methods/kJ0n7hQ0yq9m2');
    }
    const tried = await eventually(async () => {
      const mails = await world.mails(id);
      return mails.length === 12 && mails.every((mail) => mail.attempts === 1) && mails;
    }, 'all tried once');
    world.fileStatus = 200;
    const errorsOf = (status: string) => tried.filter((mail) => mail.status === status).map((mail) => mail.last_error);
    expect(errorsOf('sent')).toEqual(Array(6).fill(null));
    expect(errorsOf('pending')).toEqual(Array(6).fill(expect.stringContaining('not reachable')));
  });

  it('are listed on the local page and can be read there', async () => {
    const { id, customerId } = await world.tenant({ firstName: 'Ada', lastName: '<script>alert(1)</script>' });
    const invoiceId = newUuid();
    await world.invoiceChanged(id, customerId, invoiceId);
    await world.mediaReady(id, customerId, invoiceId);
    const [mail] = await sent(id);
    for (const principal of [null, apiKeyPrincipal(id), customerPrincipal(id, customerId)])
      expect([401, 403]).toContain((await world.test.as(principal)('GET', '/dev/mails')).status);
    const open = world.test.as(apiKeyPrincipal(newUuid(), { permissions: ['operator'] }));
    const list = await open('GET', '/dev/mails');
    expect([list.status, list.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(list.body).toContain(`/dev/mails/${mail?.id}`);
    expect([list.headers.get('cache-control'), list.headers.get('x-frame-options')]).toEqual(['no-store', 'DENY']);
    const view = await open('GET', `/dev/mails/${mail?.id}`);
    expect(view.body).toContain('kunde@example.com');
    expect(view.body).not.toContain('<script>');
    expect((await open('GET', `/dev/mails/${mail?.id}/attachments/0`)).headers.get('content-type')).toContain(
      'application/pdf',
    );
    expect((await open('GET', `/dev/mails/${mail?.id}/eml`)).body).toContain('MIME-Version: 1.0');
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of foreign) expect((await open('GET', '/dev/mails', undefined, headers)).status).toBe(404);
    for (const path of [`/dev/mails/${newUuid()}`, '/dev/mails/..%2f..%2fetc', `/dev/mails/${mail?.id}/attachments/7`])
      expect((await open('GET', path)).status).toBe(404);
  });
});

describe('a door that others can reach', () => {
  it('shows no mails', async () => {
    const world = await World.start({ GATEWAY_HOST: '0.0.0.0' });
    const operator = apiKeyPrincipal(newUuid(), { permissions: ['operator'] });
    expect((await world.test.as(operator)('GET', '/dev/mails')).status).toBe(404);
    await world.stop();
  });
});

describe('mails by SMTP', () => {
  let world: World;
  let server: Server;
  const received: string[] = [];
  let refuse = false;

  /** Just enough of SMTP to take a mail, or to refuse its recipient for good. */
  const speak = (socket: import('node:net').Socket): void => {
    let data: string | undefined;
    socket.write('220 test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (data !== undefined) {
        data += text;
        if (!data.endsWith('\r\n.\r\n')) return;
        received.push(data);
        data = undefined;
        socket.write('250 ok\r\n');
      } else if (/^DATA/i.test(text)) {
        data = '';
        socket.write('354 go on\r\n');
      } else if (/^RCPT/i.test(text) && refuse) socket.write('550 no such user\r\n');
      else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    });
  };

  beforeAll(async () => {
    server = createServer(speak);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    world = await World.start({
      SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
      MAIL_FROM: 'billing@kontor.example',
    });
  });
  afterAll(async () => {
    await world.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  it('are handed to the server with the file, and there is no local page', async () => {
    const { id, customerId } = await world.tenant();
    const invoiceId = newUuid();
    await world.invoiceChanged(id, customerId, invoiceId);
    await world.mediaReady(id, customerId, invoiceId);
    const mail = await eventually(
      async () => (await world.mails(id)).find((mail) => mail.status === 'sent'),
      'the mail sent',
    );
    const message = received.find((data) => data.includes(mail.id));
    expect(message).toContain(`Message-ID: <${mail.id}@kontor.example>`);
    expect(message).toContain('RE-2026-00001.pdf');
    const operator = apiKeyPrincipal(newUuid(), { permissions: ['operator'] });
    expect((await world.test.as(operator)('GET', '/dev/mails')).status).toBe(404);
  });

  it('one that is refused for good is not tried again', async () => {
    refuse = true;
    const { id, customerId } = await world.tenant();
    const invoiceId = newUuid();
    await world.invoiceChanged(id, customerId, invoiceId);
    await world.mediaReady(id, customerId, invoiceId);
    const mail = await eventually(
      async () => (await world.mails(id)).find((mail) => mail.status === 'failed'),
      'the mail given up',
    );
    expect(mail).toMatchObject({ attempts: 1, last_error: expect.stringContaining('550') });
    refuse = false;
  });
});
