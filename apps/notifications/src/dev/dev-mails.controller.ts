import { Controller, Get, Param, Res, UseGuards } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { InternalClient, Operation, OPERATOR, ServiceConfig } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { EmlFolder, type StoredMail } from '../delivery/eml-folder.js';
import { MailTransport } from '../delivery/mail-transport.js';
import { OwnPagesOnly } from './own-pages-only.js';
import { listPage, mailPage } from './pages.js';

const SHOWN = 200;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const HTML = 'text/html; charset=utf-8';
/** Mails carry links that need no password: no page of them stays with the browser, or stands in a frame of another. */
const PRIVATE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};
const local = { tag: 'Local pages', permission: OPERATOR } as const;

/**
 * A page to look at mails that were written as files: with the key of the start-up, on this machine only, and only where
 * no mail is sent.
 */
@Controller('dev/mails')
@UseGuards(OwnPagesOnly)
export class DevMailsController {
  private readonly mails: EmlFolder | undefined;

  constructor(
    transport: MailTransport,
    config: ServiceConfig,
    private readonly internal: InternalClient,
  ) {
    // Mails of all tenants: not on a machine that others can reach.
    const local = LOOPBACK.has(config.read.text('GATEWAY_HOST', config.host));
    this.mails = local && transport instanceof EmlFolder ? transport : undefined;
  }

  @Get()
  @Operation({ id: 'devMails', summary: 'Mails written as files', responseType: 'text/html', ...local })
  async list(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const folder = this.folder();
    void reply.type(HTML).headers(PRIVATE);
    return listPage(await folder.newest(SHOWN), await folder.count());
  }

  @Get(':id')
  @Operation({ id: 'devMail', summary: 'One mail', responseType: 'text/html', ...local })
  async view(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const mail = await this.mail(id);
    void reply.type(HTML).headers(PRIVATE);
    return mailPage(mail);
  }

  @Get(':id/eml')
  @Operation({ id: 'devMailFile', summary: 'One mail as .eml', responseType: 'message/rfc822', ...local })
  async eml(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    const bytes = await this.folder().eml(id);
    if (!bytes) throw notFound('The mail');
    void reply
      .type('message/rfc822')
      .headers(PRIVATE)
      .header('content-disposition', `attachment; filename="${id}.eml"`);
    return bytes;
  }

  @Get(':id/attachments/:index')
  @Operation({ id: 'devMailAttachment', summary: 'A file of a mail', responseType: 'application/pdf', ...local })
  async attachment(
    @Param('id') id: string,
    @Param('index') index: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const mail = await this.mail(id);
    const file = mail.attachments[Number(index)];
    if (!file) throw notFound('The file');
    void reply.type(file.mimeType).headers(PRIVATE).header('content-disposition', 'inline');
    return this.internal.bytes('invoicing', `/internal/media/${file.mediaId}`, { tenantId: mail.tenantId });
  }

  private folder(): EmlFolder {
    if (!this.mails) throw notFound('The page');
    return this.mails;
  }

  private async mail(id: string): Promise<StoredMail> {
    const mail = await this.folder().find(id);
    if (!mail) throw notFound('The mail');
    return mail;
  }
}
