/** Liquid. `text` is written as it is, in `html` every value is escaped. */
export interface MailTemplate {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
