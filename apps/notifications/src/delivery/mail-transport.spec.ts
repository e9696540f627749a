import { describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { messageOf } from './mail-transport.js';

const MAIL = {
  tenantId: '0190a000-0000-7000-8000-000000000001',
  id: '0190a000-0000-7000-8000-000000000002',
  senderName: 'Backhaus Elbe',
  replyTo: null,
  recipient: 'jule@backhaus.example',
  subject: 'Rechnung',
  text: 'Guten Tag',
  html: '<p>Guten Tag</p>',
  attachments: [],
  createdAt: new Date('2026-03-02T09:00:00.000Z'),
};

describe('the headers of a mail', () => {
  it('have no break of a line in the name of who sends it, also when they are decoded', async () => {
    const transport = createTransport({ streamTransport: true, buffer: true });
    const mail = { ...MAIL, senderName: 'Bäckerei\r\nBcc: x@backhaus.example\r\n\r\nX' };
    const { message } = await transport.sendMail(messageOf(mail, [], 'billing@localhost'));
    const from = /^From: (.*(?:\r?\n[ \t].*)*)/m.exec(String(message))![1]!;
    expect(from).toContain('Bcc');
    expect(from).not.toMatch(/=0D|=0A/i);
    expect(String(message)).not.toMatch(/^Bcc:/m);
  });
});
