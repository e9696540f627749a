import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onDemand } from '@kontor/kernel';
import type { Transporter } from 'nodemailer';
import type { Mail, MailAttachment } from '../domain/mails/mail.js';
import { type AttachedFile, MailTransport, messageOf } from './mail-transport.js';

/** What is known of a mail in the folder without reading its `.eml`. */
export interface StoredMail extends Pick<
  Mail,
  'tenantId' | 'id' | 'senderName' | 'recipient' | 'subject' | 'text' | 'html'
> {
  readonly from: string;
  /** The tenant's time at which it was written, ISO. */
  readonly createdAt: string;
  readonly attachments: readonly (MailAttachment & { readonly sizeBytes: number })[];
}

const library = onDemand<typeof import('nodemailer')>('nodemailer', import.meta.url);
const FILE = /^\d{8}T\d{9}Z-([0-9a-f-]{36})\.json$/;

/**
 * Writes mails as `.eml` files instead of sending them, each with a `.json` beside it for the local page. A mail that
 * is
 * written again replaces itself.
 */
export class EmlFolder extends MailTransport {
  private composer: Transporter | undefined;

  constructor(
    readonly folder: string,
    private readonly from: string,
  ) {
    super();
  }

  async send(mail: Mail, files: readonly AttachedFile[]): Promise<void> {
    const { message } = await this.compose().sendMail(messageOf(mail, files, this.from));
    const { tenantId, id, senderName, recipient, subject, text, html } = mail;
    const stored: StoredMail = {
      tenantId,
      id,
      senderName,
      from: this.from,
      recipient,
      subject,
      text,
      html,
      createdAt: mail.createdAt.toISOString(),
      attachments: mail.attachments.map((attachment, i) => ({ ...attachment, sizeBytes: files[i]?.bytes.length ?? 0 })),
    };
    const name = `${mail.createdAt.toISOString().replace(/[-:.]/g, '')}-${id}`;
    // Mails carry links that need no password: they are for whoever runs the system alone.
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.write(`${name}.eml`, message as Buffer);
    await this.write(`${name}.json`, JSON.stringify(stored));
  }

  close(): void {
    this.composer?.close();
  }

  /** Its library is loaded with the first mail. */
  private compose(): Transporter {
    return (this.composer ??= library().createTransport({ streamTransport: true, buffer: true, newline: 'windows' }));
  }

  /** The newest mails, by the time at which they were written. */
  async newest(limit: number): Promise<StoredMail[]> {
    const names = (await this.names()).sort().reverse().slice(0, limit);
    return Promise.all(names.map((name) => this.read(name)));
  }

  async count(): Promise<number> {
    return (await this.names()).length;
  }

  async find(id: string): Promise<StoredMail | undefined> {
    const name = await this.nameOf(id);
    return name === undefined ? undefined : this.read(name);
  }

  /** The mail as a file. */
  async eml(id: string): Promise<Buffer | undefined> {
    const name = await this.nameOf(id);
    return name === undefined ? undefined : readFile(join(this.folder, name.replace(/json$/, 'eml')));
  }

  private async names(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => [] as string[]);
    return names.filter((name) => FILE.test(name));
  }

  private async nameOf(id: string): Promise<string | undefined> {
    return (await this.names()).find((name) => FILE.exec(name)?.[1] === id);
  }

  private async read(name: string): Promise<StoredMail> {
    return JSON.parse(await readFile(join(this.folder, name), 'utf8')) as StoredMail;
  }

  /** Whole or not at all, also for a reader that looks meanwhile. */
  private async write(name: string, content: Buffer | string): Promise<void> {
    const path = join(this.folder, name);
    await writeFile(`${path}.part`, content);
    await rename(`${path}.part`, path);
  }
}
