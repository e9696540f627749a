import { type EventOf, loginLinksMadeV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { momentText } from '../domain/mails/wording.js';
import { writeNoticeMail } from '../mails/write-notice-mail.js';
import { LOGIN_LINK_TEMPLATES } from './login-link-template.js';

/** Mails the links with which the customers of an e-mail address log in. */
@EventConsumer()
export class OnLoginLinksMade {
  constructor(private readonly replicas: Replicas) {}

  @Consume(loginLinksMadeV1)
  handle({ payload }: EventOf<typeof loginLinksMadeV1>, tx: TenantTx): Promise<void> {
    return writeNoticeMail(tx, this.replicas, {
      kind: 'login_link',
      reference: payload.requestId,
      customerId: payload.links[0]!.customerId,
      templates: LOGIN_LINK_TEMPLATES,
      model: (language, customer) => ({
        links: payload.links,
        link: linkText(payload.links),
        validUntil: momentText(payload.expiresAt, language, customer.timeZone),
      }),
    });
  }
}

type Links = EventOf<typeof loginLinksMadeV1>['payload']['links'];

/** As the tenant's own templates call it: the link, or with several customers each with its name. */
const linkText = (links: Links): string =>
  links.length === 1 ? links[0]!.link : links.map(({ name, link }) => `${name}: ${link}`).join('\n');
