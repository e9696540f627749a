import type { Mail } from '../domain/mails/mail.js';

export interface AttachedFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** A mail could not be handed over. `permanent`: the other side will never accept it. */
export class MailRefused extends Error {
  constructor(
    message: string,
    readonly permanent: boolean,
  ) {
    super(message);
    this.name = 'MailRefused';
  }
}

/** Where mails go. Handing the same mail over twice gives the same Message-ID, by which receivers recognize it. */
export abstract class MailTransport {
  /** @throws MailRefused */
  abstract send(mail: Mail, files: readonly AttachedFile[]): Promise<void>;
  abstract close(): void;
}

/** The mail in nodemailer's form. */
export const messageOf = (mail: Mail, files: readonly AttachedFile[], from: string) => ({
  // Encoded, breaks of lines would be in a header all the same for whoever decodes it.
  from: { name: mail.senderName.replace(/\p{Cc}+/gu, ' '), address: from },
  to: mail.recipient,
  ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  messageId: `<${mail.id}@${from.split('@')[1] ?? 'localhost'}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  attachments: files.map((file) => ({ filename: file.fileName, contentType: file.mimeType, content: file.bytes })),
});
