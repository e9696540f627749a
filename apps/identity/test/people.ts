import { eventually, type Send, type TestAnswer, type TestService } from '@kontor/testing';

export const PASSWORD = 'correct horse battery';

interface Mail {
  readonly kind: string;
  readonly recipient: string;
  readonly link: string | null;
}

let number = 0;

/** People who work for tenants, invited and signed in as they would be. */
export class People {
  readonly anyone: Send;

  constructor(private readonly test: TestService) {
    this.anyone = test.as(null);
  }

  newEmail(): string {
    return `person-${++number}@people.example`;
  }

  async mails(recipient: string): Promise<Mail[]> {
    const rows = await this.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'identity.user-mail.requested.v1' ORDER BY id`,
    );
    return rows.map(({ payload }) => JSON.parse(payload) as Mail).filter((mail) => mail.recipient === recipient);
  }

  /** Path of the link in the latest mail of a kind. */
  async linkTo(recipient: string, kind: string): Promise<string> {
    const link = await eventually(
      async () => (await this.mails(recipient)).findLast((mail) => mail.kind === kind)?.link,
      `the ${kind} mail to ${recipient}`,
    );
    return new URL(link).pathname;
  }

  async invite(admin: Send, email: string, roles: readonly string[]): Promise<string> {
    const answer = await admin('POST', '/user-invitations', { email, roles });
    if (answer.status !== 201) throw new Error(`not invited: ${JSON.stringify(answer.body)}`);
    return this.linkTo(email, 'invitation');
  }

  /** Sends a form as a browser would. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.test.service.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: this.test.service.url, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  }

  /** Somebody new in the tenant, who has accepted the invitation. */
  async join(admin: Send, roles: readonly string[], names = { firstName: 'Ada', lastName: 'Berg' }): Promise<string> {
    const email = this.newEmail();
    const path = await this.invite(admin, email, roles);
    const { status } = await this.post(path, { ...names, password: PASSWORD });
    if (status !== 303) throw new Error(`not accepted: ${status}`);
    return email;
  }

  signIn(email: string, more: object = {}, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.anyone('POST', '/public/users/sign-in', { email, password: PASSWORD, ...more }, headers);
  }

  async tokens(
    email: string,
    more: object = {},
  ): Promise<{ accessToken: string; refreshToken: string; tenantId: string }> {
    const { status, body } = await this.signIn(email, more);
    if (status !== 200) throw new Error(`not signed in: ${JSON.stringify(body)}`);
    return body.data;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Of a key as people type it into an app. */
export function bytesOf(key: string): Buffer {
  const bits = [...key.replace(/\s/g, '')].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}
