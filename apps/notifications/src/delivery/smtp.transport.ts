import { onDemand } from '@kontor/kernel';
import type { Transporter } from 'nodemailer';
import type { Mail } from '../domain/mails/mail.js';
import { type AttachedFile, MailRefused, MailTransport, messageOf } from './mail-transport.js';

const library = onDemand<typeof import('nodemailer')>('nodemailer', import.meta.url);

/** Sends by SMTP: `smtp://user:password@host:587`, `smtps://…`. */
export class SmtpTransport extends MailTransport {
  private readonly transporter: Transporter;

  constructor(
    url: string,
    private readonly from: string,
  ) {
    super();
    this.transporter = library().createTransport({
      url,
      pool: true,
      maxConnections: 3,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    } as object);
  }

  async send(mail: Mail, files: readonly AttachedFile[]): Promise<void> {
    try {
      await this.transporter.sendMail(messageOf(mail, files, this.from));
    } catch (error) {
      const { responseCode, message } = error as { responseCode?: number; message: string };
      throw new MailRefused(message, responseCode !== undefined && responseCode >= 500);
    }
  }

  close(): void {
    this.transporter.close();
  }
}
